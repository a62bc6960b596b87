import { expect, test } from 'vitest';
import { LiveTails, type TailEvent } from './live-tails.js';
import type { StreamState } from './stream-store.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const at = (position: number) => ({ chunk: 0, position });
const stateAt = (life: string, position: number) => ({ life, tail: at(position) }) as StreamState;

/** Records the calls it gets. */
function watcher() {
  const calls: string[] = [];
  const events: TailEvent[] = [];
  return {
    calls,
    events,
    onAppend(event: TailEvent) {
      events.push(event);
      calls.push(
        `${event.from.position}-${event.state.tail.position} ${new TextDecoder().decode(event.bytes)}`,
      );
    },
    onGone: () => void calls.push('gone'),
  };
}

test('appends of one turn reach every watcher of the stream as one event', async () => {
  const tails = new LiveTails(9);
  const [a, b, other] = [watcher(), watcher(), watcher()];
  const leave = tails.watch('life', a);
  tails.watch('life', b);
  tails.watch('another', other);
  tails.publish(at(0), bytes('ab'), stateAt('life', 2));
  tails.publish(at(2), null, stateAt('life', 2));
  tails.publish(at(2), bytes('c'), stateAt('life', 3));
  expect(a.calls).toEqual([]);
  await Promise.resolve();
  expect([a.calls, b.calls, other.calls]).toEqual([['0-3 abc'], ['0-3 abc'], []]);
  expect(a.events[0]).toBe(b.events[0]);
  leave();
  tails.publish(at(3), null, stateAt('life', 3));
  await Promise.resolve();
  expect([a.calls.length, b.calls[1]]).toEqual([1, '3-3 ']);
});

test('neither a watcher that has left nor one that came later gets an append', async () => {
  const tails = new LiveTails(9);
  const a = watcher();
  tails.publish(at(0), bytes('early'), stateAt('life', 5));
  const leave = tails.watch('life', a);
  await Promise.resolve();
  tails.publish(at(5), bytes('x'), stateAt('life', 6));
  leave();
  await Promise.resolve();
  expect(a.calls).toEqual([]);
});

test('removing a stream notifies all its watchers, even if one leaves during its call', () => {
  const tails = new LiveTails(9);
  const [a, b] = [watcher(), watcher()];
  const leave = tails.watch('life', { ...a, onGone: () => leave() });
  tails.watch('life', b);
  tails.notifyGone('life');
  tails.notifyGone('another');
  expect([b.calls, tails.readers]).toEqual([['gone'], 1]);
});

test('enforces the limits per stream and per tenant; a reader that leaves frees one place, once', () => {
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
