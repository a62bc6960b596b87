import { expect, test } from 'vitest';
import { LiveTails, type TailEvent } from './live-tails.js';
import type { StreamState } from './stream-store.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const at = (position: number) => ({ chunk: 0, position });
const stateAt = (life: string, position: number) => ({ life, tail: at(position) }) as StreamState;

/** Notes what it is told. */
function watcher() {
  const told: string[] = [];
  const events: TailEvent[] = [];
  return {
    told,
    events,
    onAppend(event: TailEvent) {
      events.push(event);
      told.push(
        `${event.from.position}-${event.state.tail.position} ${new TextDecoder().decode(event.bytes)}`,
      );
    },
    onGone: () => void told.push('gone'),
  };
}

test('appends of one turn come together, once, to each who watches that life', async () => {
  const tails = new LiveTails(9);
  const [a, b, other] = [watcher(), watcher(), watcher()];
  const leave = tails.watch('life', a);
  tails.watch('life', b);
  tails.watch('another', other);
  tails.publish(at(0), bytes('ab'), stateAt('life', 2));
  tails.publish(at(2), null, stateAt('life', 2));
  tails.publish(at(2), bytes('c'), stateAt('life', 3));
  expect(a.told).toEqual([]);
  await Promise.resolve();
  expect([a.told, b.told, other.told]).toEqual([['0-3 abc'], ['0-3 abc'], []]);
  expect(a.events[0]).toBe(b.events[0]);
  leave();
  tails.publish(at(3), null, stateAt('life', 3));
  await Promise.resolve();
  expect([a.told.length, b.told[1]]).toEqual([1, '3-3 ']);
});

test('who leaves between an append and its turn is not told, and nothing waits for nobody', async () => {
  const tails = new LiveTails(9);
  const a = watcher();
  tails.publish(at(0), bytes('early'), stateAt('life', 5));
  const leave = tails.watch('life', a);
  await Promise.resolve();
  tails.publish(at(5), bytes('x'), stateAt('life', 6));
  leave();
  await Promise.resolve();
  expect(a.told).toEqual([]);
});

test('the end of a life is told to those who watch it, also if they leave at that', () => {
  const tails = new LiveTails(9);
  const [a, b] = [watcher(), watcher()];
  const leave = tails.watch('life', { ...a, onGone: () => leave() });
  tails.watch('life', b);
  tails.gone('life');
  tails.gone('another');
  expect([b.told, tails.readers]).toEqual([['gone'], 1]);
});

test('a stream and a tenant have as many readers as they may; each that leaves makes room, once', () => {
  const tails = new LiveTails(2);
  const share = { tenant: 't', max: 3 };
  const refused = (life: string, own = share) => {
    try {
      tails.refuseIfFull(life, own);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const leaves = ['a', 'a', 'b'].map((life) => tails.watch(life, watcher(), share));
  expect(refused('a', { tenant: 'u', max: 3 })).toContain('a stream can have at most 2');
  expect(refused('b')).toContain('a tenant can have at most 3');
  expect(() => tails.watch('b', watcher(), share)).toThrow('a tenant');
  expect(refused('b', { tenant: 'u', max: 1 })).toBeUndefined();
  expect([tails.readers, refused('c')]).toEqual([3, expect.any(String)]);
  leaves[0]?.();
  leaves[0]?.();
  expect([tails.readers, refused('a'), refused('b')]).toEqual([2, undefined, undefined]);
  const again = tails.watch('a', watcher(), share);
  expect(refused('b')).toContain('a tenant');
  for (const leave of [...leaves, again]) leave();
  expect([tails.readers, refused('a', { tenant: 't', max: 1 })]).toEqual([0, undefined]);
});
