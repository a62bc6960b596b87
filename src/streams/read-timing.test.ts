import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InlineStreams } from '../../test/support/inline-streams.js';
import { createOwn } from './create-stream.js';
import { readTiming, type TimingQuery } from './read-timing.js';

/** A cold chunk with records of 60 and 40 bytes, and hot records of 10, 20 and 30. */
let streams: InlineStreams;
let hash: string;

beforeEach(async () => {
  streams = new InlineStreams({ limits: { sealPauseMs: 3_600_000 } });
  await streams.create('s', 'x'.repeat(60));
  for (const bytes of [40, 10, 20, 30]) {
    streams.now += 100;
    await streams.append('s', 'x'.repeat(bytes));
  }
  await streams.deps.sealer.idle();
  ({ hash } = await streams.state('s'));
});
afterEach(() => streams.close());

const at = (chunk: number, position: number) =>
  `${hash}:${String(chunk).padStart(8, '0')}:${String(position).padStart(10, '0')}`;
const timing = (query: Partial<TimingQuery> = {}, id = 's') =>
  readTiming(streams.deps, id, { limit: 100, tenant: 'acme', ...query });

const ALL = () =>
  [
    [at(0, 0), 60, 0],
    [at(0, 60), 40, 100],
    [at(1, 0), 10, 200],
    [at(1, 10), 20, 300],
    [at(1, 30), 30, 400],
  ] as const;

test('lists when each record arrived, from the start', async () => {
  const { createdAt } = await streams.state('s');
  expect(await timing()).toEqual({ createdAt, bytesBefore: 0, records: ALL(), next: null });
});

test.each([
  [1, () => at(0, 60)],
  [2, () => at(1, 0)],
  [3, () => at(1, 10)],
  [4, () => at(1, 30)],
  [5, () => null],
  [6, () => null],
])('a page of %i records says where the next begins', async (limit, next) => {
  expect(await timing({ limit })).toMatchObject({ records: ALL().slice(0, limit), next: next() });
});

test('pages follow one another', async () => {
  let from: string | null = at(0, 0);
  const records: unknown[] = [];
  const before: number[] = [];
  while (from !== null) {
    const page = await timing({ from, limit: 2 });
    records.push(...page.records);
    before.push(page.bytesBefore);
    from = page.next;
  }
  expect([records, before]).toEqual([ALL(), [0, 100, 130]]);
});

test('a page may begin inside a record, and at the tail', async () => {
  expect(await timing({ from: at(0, 50), limit: 1 })).toMatchObject({
    bytesBefore: 50,
    records: [[at(0, 50), 10, 0]],
    next: at(0, 60),
  });
  expect(await timing({ from: at(1, 60) })).toMatchObject({ bytesBefore: 160, records: [], next: null });
  await expect(timing({ from: 'junk' })).rejects.toMatchObject({ code: 'OFFSET_INVALID' });
  await expect(timing({ from: at(1, 61) })).rejects.toMatchObject({ code: 'OFFSET_INVALID' });
});

test('a fork shows the arrivals of its source, never before its own creation', async () => {
  streams.now += 50;
  await streams.fork('f', 's');
  streams.now += 5;
  await streams.append('f', 'z');
  const { records } = await timing({}, 'f');
  expect(records.map(([, bytes, ms]) => [bytes, ms])).toEqual([
    [60, 0],
    [40, 0],
    [10, 0],
    [20, 0],
    [30, 0],
    [1, 5],
  ]);
});

test('records from before arrivals were stored have none', async () => {
  streams.database.run('UPDATE chunks SET arrived_at = NULL', []);
  const { records } = await timing();
  expect(records.map(([, , ms]) => ms)).toEqual([0, 100, null, null, null]);
});

describe('a stream of the server itself', () => {
  const create = (id: string, metadata: string) =>
    createOwn(streams.deps, {
      id,
      life: id,
      contentType: 'text/plain',
      expiresAt: streams.now + 1_000_000,
      metadata,
      collection: 'proxy/acme',
      data: null,
    });

  test('is shown to the tenant in its metadata only', async () => {
    await create('own', '{"tenant":"acme"}');
    await create('nobody', '{}');
    expect((await timing({}, 'own')).records).toEqual([]);
    await expect(timing({ tenant: 'globex' }, 'own')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
    expect((await timing({ tenant: 'globex' }, 'nobody')).records).toEqual([]);
  });
});

describe('a stream that cannot be read', () => {
  test('is missing, or its segments are', async () => {
    await expect(timing({}, 'none')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
    streams.bucket.clear();
    await expect(timing()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  test('has a segment with a damaged index', async () => {
    for (const bytes of streams.bucket.values()) bytes[bytes.length - 12] = 99;
    await expect(timing()).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
  });

  test('is removed meanwhile', async () => {
    const state = await streams.state('s');
    streams.before('arrivals', () => streams.engine.remove(state));
    await expect(timing({ from: at(1, 0) })).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
  });

  test('is sealed meanwhile, which changes nothing', async () => {
    await streams.append('s', 'x'.repeat(40));
    streams.before('arrivals', () => streams.deps.sealer.idle());
    expect((await timing({ from: at(1, 0) })).records).toHaveLength(4);
  });
});
