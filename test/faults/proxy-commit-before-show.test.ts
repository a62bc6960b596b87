import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LiveSink } from '../../src/streams/index.js';
import { FULL_DISK, PumpBench, settle } from '../support/pump-bench.js';

/** Proxied bytes at the commit port: what is committed and what a live reader is shown, in order. */
const bench = new PumpBench();
let events: string[];
beforeAll(() => bench.open());
beforeEach(async () => {
  await bench.begin();
  events = [];
  bench.onCommit = () => events.push('commit');
});
afterEach(() => bench.service.stop());
afterAll(() => bench.close());

const sink = (name: string): LiveSink => ({
  write: (bytes) => void events.push(`${name} ${new TextDecoder().decode(bytes)}`),
  buffered: () => 0,
  drained: async () => {},
  end: () => void events.push(`${name} end`),
  abort: () => void events.push(`${name} abort`),
  onClose: () => {},
});

async function follow(): Promise<void> {
  const state = await bench.service.find(bench.streamId);
  if (!state) throw new Error('no stream');
  const body = bench.service.followRaw({ state, isComplete: () => true });
  if (body.kind !== 'live') throw new Error('no live response');
  body.start(sink('raw'));
  await settle();
}

test('a byte is committed before any reader sees it, and so is the end', async () => {
  const pump = bench.start();
  await follow();
  events.length = 0;
  bench.body.say('one');
  await settle();
  expect(events).toEqual(['commit', 'raw one']);
  bench.body.say('two');
  bench.body.end();
  await pump.ended;
  await settle();
  expect(events.slice(0, 4)).toEqual([
    'commit',
    'raw one',
    'commit',
    expect.stringMatching(/raw two|commit/),
  ]);
  expect(events.filter((event) => event !== 'commit')).toEqual(['raw one', 'raw two', 'raw end']);
});

test('a failed commit is never shown', async () => {
  const pump = bench.start();
  await follow();
  events.length = 0;
  bench.failWith = FULL_DISK;
  bench.body.say('lost');
  await settle();
  bench.timers.pass(50);
  await settle();
  bench.failWith = undefined;
  bench.timers.pass(1_000);
  await pump.ended;
  await settle();
  expect(events.join()).not.toContain('lost');
  expect(await bench.stored()).toMatchObject({
    text: '',
    closed: true,
    outcome: 'failed',
    error: 'STORAGE_ERROR',
  });
});
