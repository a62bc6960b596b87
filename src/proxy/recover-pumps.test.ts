import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PumpBench } from '../../test/support/pump-bench.js';
import { recoverPumps } from './recover-pumps.js';

const bench = new PumpBench();
beforeAll(() => bench.open());
afterAll(() => bench.close());
beforeEach(() => bench.begin());

const recover = () => recoverPumps({ streams: bench.service, store: bench.inline.proxy });

test('a stream whose pump is gone is ended, and its bytes stay', async () => {
  await bench.service.appendOwn(bench.stream, { data: new TextEncoder().encode('half') });
  expect(await recover()).toBe(1);
  expect(await bench.stored()).toEqual({ text: 'half', closed: true, outcome: 'failed', error: 'PUMP_LOST' });
  expect(await bench.notedPumps()).toEqual([]);
});

test('a stream that was already closed keeps its outcome', async () => {
  await bench.service.appendOwn(bench.stream, { data: null, close: true });
  expect(await recover()).toBe(1);
  expect(await bench.stored()).toMatchObject({ closed: true, outcome: undefined });
  expect(await bench.notedPumps()).toEqual([]);
});

test('more than a batch of lost pumps are all ended', async () => {
  const lost = Array.from({ length: 299 }, (_, n) => ({ id: `proxy/lost-${n}`, life: `life ${n}` }));
  for (const stream of lost) await bench.inline.proxy.pumpStarted(stream);
  expect(await recover()).toBe(300);
  expect(await bench.notedPumps()).toEqual([]);
});

test('a pump of an earlier life of the name leaves the present stream open', async () => {
  await bench.inline.proxy.pumpEnded(bench.stream);
  await bench.inline.proxy.pumpStarted({ ...bench.stream, life: 'an earlier life' });
  expect(await recover()).toBe(1);
  expect(await bench.stored()).toMatchObject({ closed: false });
  expect(await bench.notedPumps()).toEqual([]);
});
