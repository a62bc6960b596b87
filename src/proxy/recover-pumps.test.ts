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

test('a stream that was already closed keeps its outcome, and is not written to', async () => {
  await bench.service.appendOwn(bench.stream, { data: null, close: true });
  const { appendOwn } = bench.service;
  let appends = 0;
  const streams = Object.assign(Object.create(bench.service), {
    find: (id: string) => bench.service.find(id),
    appendOwn: (...args: Parameters<typeof appendOwn>) => {
      appends++;
      return appendOwn(...args);
    },
  });
  expect(await recoverPumps({ streams, store: bench.inline.proxy })).toBe(1);
  expect(appends).toBe(0);
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

test('pumps are read in batches, each after the last of the one before', async () => {
  await recover();
  const pages: [string, number][] = [];
  const { proxy } = bench.inline;
  const store = Object.assign(Object.create(proxy), {
    pumpEnded: proxy.pumpEnded,
    pumps: (after: string, limit: number) => {
      pages.push([after, limit]);
      return proxy.pumps(after, limit);
    },
  });
  for (const life of ['a', 'b']) await proxy.pumpStarted({ id: `proxy/${life}`, life });
  expect(await recoverPumps({ streams: bench.service, store })).toBe(2);
  expect(pages).toEqual([
    ['', 256],
    ['b', 256],
  ]);
});
