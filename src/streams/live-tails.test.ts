import { describe, expect, test } from 'vitest';
import { ACTS_PER_TURN } from '../loop-turns.js';
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

describe('many readers', () => {
  const MANY = 1_000;
  /** Each call of `step` is one turn of the loop. */
  function manualTurns() {
    const waiting: (() => void)[] = [];
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    return {
      turn: () => new Promise<void>((resolve) => void waiting.push(resolve)),
      async step() {
        waiting.shift()?.();
        await settled();
      },
      settled,
    };
  }

  function crowd(tails: LiveTails, life: string) {
    const watchers = Array.from({ length: MANY }, watcher);
    const leaves = watchers.map((each) => tails.watch(life, each));
    const got = () => watchers.map(({ calls }) => calls.join());
    return { watchers, leaves, got, count: (text: string) => got().filter((each) => each === text).length };
  }

  test('get an append some hundred per turn; another stream waits for one turn, not for all', async () => {
    const { turn, step, settled } = manualTurns();
    const tails = new LiveTails(MANY, turn);
    const { count } = crowd(tails, 'large');
    const other = watcher();
    tails.watch('small', other);
    tails.publish(at(0), bytes('a'), stateAt('large', 1));
    await settled();
    expect(count('0-1 a')).toBe(ACTS_PER_TURN);
    tails.publish(at(0), bytes('x'), stateAt('small', 1));
    await settled();
    expect(other.calls).toEqual([]);
    await step();
    await step();
    expect([other.calls, count('0-1 a') < MANY]).toEqual([['0-1 x'], true]);
    for (let n = 0; n < MANY / ACTS_PER_TURN; n++) await step();
    expect(count('0-1 a')).toBe(MANY);
  });

  test('get appends in order, those of the meantime as one event, and only if they were there', async () => {
    const { turn, step, settled } = manualTurns();
    const tails = new LiveTails(MANY + 1, turn);
    const { leaves, count, got } = crowd(tails, 'life');
    tails.publish(at(0), bytes('a'), stateAt('life', 1));
    await settled();
    tails.publish(at(1), bytes('b'), stateAt('life', 2));
    leaves.at(-1)?.();
    tails.publish(at(2), bytes('c'), stateAt('life', 3));
    const late = watcher();
    tails.watch('life', late);
    for (let n = 0; n < 3 * (MANY / ACTS_PER_TURN); n++) await step();
    expect([count('0-1 a,1-3 bc'), got().at(-1), late.calls]).toEqual([MANY - 1, '', []]);
    tails.publish(at(3), bytes('d'), stateAt('life', 4));
    for (let n = 0; n < 3 * (MANY / ACTS_PER_TURN); n++) await step();
    expect([count('0-1 a,1-3 bc,3-4 d'), late.calls]).toEqual([MANY - 1, ['3-4 d']]);
  });

  test('are sent to the store if too many bytes arrive in the meantime', async () => {
    const { turn, step, settled } = manualTurns();
    const tails = new LiveTails(MANY, turn);
    const { watchers } = crowd(tails, 'life');
    const size = 9 * 1024 * 1024;
    tails.publish(at(0), bytes('a'), stateAt('life', 1));
    await settled();
    for (const n of [1, 2, 3])
      tails.publish(at((n - 1) * size + 1), new Uint8Array(size), stateAt('life', n * size + 1));
    for (let n = 0; n < 3 * (MANY / ACTS_PER_TURN); n++) await step();
    const [, second] = watchers[0]?.events ?? [];
    expect([second?.bytes.length, second?.from, second?.state.tail]).toEqual([
      0,
      at(3 * size + 1),
      at(3 * size + 1),
    ]);
  });

  test('are told in turns that their stream is gone', async () => {
    const { turn, step } = manualTurns();
    const tails = new LiveTails(MANY, turn);
    const { count } = crowd(tails, 'life');
    tails.notifyGone('life');
    expect(count('gone')).toBe(ACTS_PER_TURN);
    for (let n = 0; n < MANY / ACTS_PER_TURN; n++) await step();
    expect(count('gone')).toBe(MANY);
  });
});
