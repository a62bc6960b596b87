/** How a pump ends: refusals of the store, the first of several reasons, what it counts and what it logs. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepingLog, type LogLine } from '../../test/support/keeping-log.js';
import { FULL_DISK, PumpBench, settle } from '../../test/support/pump-bench.js';
import type { AppendRefusal } from '../streams/stream-store.js';
import { Pump } from './pump.js';
import { TIMED_OUT } from './upstream-outcome.js';

const bench = new PumpBench();
beforeAll(() => bench.open());
beforeEach(() => bench.begin());
afterEach(() => bench.service.stop());
afterAll(() => bench.close());

/** The store refuses every append with bytes. */
function startRefused(rule: AppendRefusal['rule']): Pump {
  const { streams } = bench.deps;
  return new Pump(
    {
      ...bench.deps,
      streams: {
        ...streams,
        async appendOwn(stream, append) {
          const outcome = await streams.appendOwn(stream, { ...append, data: null });
          if (append.data === null || outcome.kind !== 'appended') return outcome;
          return { kind: 'refused', why: { rule } as AppendRefusal, state: outcome.state };
        },
      },
    },
    bench.source,
  );
}

const REFUSALS = [
  ['stream_size', { outcome: 'failed', error: 'RESPONSE_TOO_LARGE' }],
  ['deleted', { outcome: 'aborted' }],
  ['expired', { outcome: 'aborted' }],
  ['gap', { outcome: 'failed', error: 'STORAGE_ERROR' }],
] as const;

test.each(REFUSALS)('a write refused because of %s stops the upstream: %j', async (rule, ending) => {
  const pump = startRefused(rule);
  bench.body.say('a');
  expect(await pump.ended).toEqual(ending);
  expect(bench.body.canceled).toBeGreaterThan(0);
  expect(await bench.notedPumps()).not.toContain(bench.streamId);
});

test('last bytes that are refused are left out, and the stream is closed without them', async () => {
  const { streams } = bench.deps;
  const closures: unknown[] = [];
  const pump = new Pump(
    {
      ...bench.deps,
      streams: {
        ...streams,
        async appendOwn(stream, append) {
          if (append.close) closures.push(append.data && new TextDecoder().decode(append.data));
          if (!append.close || append.data === null) return streams.appendOwn(stream, append);
          const state = await bench.service.find(bench.streamId);
          if (!state) throw new Error('the stream no longer exists');
          return { kind: 'refused', why: { rule: 'stream_size' }, state };
        },
      },
    },
    bench.source,
  );
  bench.holdWrites();
  bench.body.say('a');
  await settle();
  bench.timers.pass(51);
  bench.body.say('b');
  await settle();
  bench.openGate();
  await settle();
  bench.body.end();
  const ending = { outcome: 'failed', error: 'RESPONSE_TOO_LARGE' };
  expect(await pump.ended).toEqual(ending);
  expect(closures).toEqual(['b', null]);
  expect(await bench.stored()).toEqual({ text: 'a', closed: true, ...ending });
});

test('a closure that is refused is not repeated', async () => {
  const state = await bench.service.find(bench.streamId);
  if (!state) throw new Error('the stream no longer exists');
  let closures = 0;
  const appendOwn = async () => {
    closures++;
    return { kind: 'refused', why: { rule: 'corrupt' }, state } as const;
  };
  const pump = new Pump({ ...bench.deps, streams: { ...bench.deps.streams, appendOwn } }, bench.source);
  bench.body.end();
  expect(await pump.ended).toEqual({ outcome: 'failed', error: 'STORAGE_ERROR' });
  expect(closures).toBe(1);
});

test('a deleted stream stops its upstream with the next bytes', async () => {
  const pump = bench.start();
  await bench.service.removeOwn(bench.streamId);
  bench.body.say('for nobody');
  expect(await pump.ended).toEqual({ outcome: 'aborted' });
});

test('the first of several reasons counts', async () => {
  const pump = bench.start();
  bench.holdWrites();
  bench.body.say('a');
  await settle();
  void pump.stop();
  void pump.stop(TIMED_OUT);
  bench.openGate();
  expect(await pump.ended).toEqual({ outcome: 'aborted' });
});

test('an empty response is only closed', async () => {
  const pump = bench.start();
  bench.body.end();
  expect(await pump.ended).toEqual({ outcome: 'completed' });
  expect(bench.writes).toEqual([null]);
});

test.each([
  [0, { bytes: 0, records: 0 }, { bytes: 2, records: 1 }],
  [1, { bytes: 1, records: 1 }, { bytes: 3, records: 2 }],
  [5, { bytes: 5, records: 1 }, { bytes: 7, records: 2 }],
])('counts %i bytes that were stored before it started', async (stored, before, after) => {
  if (stored > 0) await bench.service.appendOwn(bench.stream, { data: new Uint8Array(stored) });
  const pump = new Pump(bench.deps, { ...bench.source, stored });
  expect(pump.totals).toEqual(before);
  bench.body.say('ab');
  bench.body.end();
  expect((await pump.ended).outcome).toBe('completed');
  expect(pump.totals).toEqual(after);
});

describe('a store that fails', () => {
  const lines: LogLine[] = [];
  beforeEach(() => void lines.splice(0));
  const start = () => new Pump({ ...bench.deps, log: keepingLog(lines) }, bench.source);

  test('gets nothing more but the closure, and the failure is logged once', async () => {
    const pump = start();
    bench.holdWrites();
    bench.body.say('lost');
    await settle();
    bench.timers.pass(51);
    bench.body.say('after');
    await settle();
    bench.failWith = FULL_DISK;
    bench.openGate();
    await settle();
    // Only the retry of the closure is waiting: the bytes that came after are not written.
    expect(bench.timers.set).toEqual([1_000]);
    bench.failWith = undefined;
    bench.timers.pass(1_000);
    await pump.ended;
    expect(bench.writes).toEqual([4, null, null]);
    const logged = {
      level: 'error',
      message: 'an upstream response could not be stored',
      fields: { stream: bench.streamId, code: 'STORAGE_FULL' },
    };
    expect(lines).toMatchObject([logged]);
  });

  test('only at the removal of its record: the ending stands, and the failure is logged', async () => {
    const pump = new Pump(
      {
        ...bench.deps,
        log: keepingLog(lines),
        store: { pumpEnded: () => Promise.reject(FULL_DISK) },
      },
      bench.source,
    );
    bench.body.end();
    expect(await pump.ended).toEqual({ outcome: 'completed' });
    expect(lines).toMatchObject([{ level: 'warn', fields: { stream: bench.streamId } }]);
  });
});
