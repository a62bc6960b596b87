import { afterEach, beforeEach, expect, test } from 'vitest';
import { InlineStreams } from '../../test/support/inline-streams.js';
import { segmentKey } from './object-store.js';
import { planRead } from './read-plan.js';
import { digestOf, type Piece, readSpans, refuseDamaged } from './read-spans.js';
import { spreadDamage } from './spread-damage.js';

/** A cold chunk of 100 bytes in two records, and three hot records of ten bytes. */
let streams: InlineStreams;

beforeEach(async () => {
  streams = new InlineStreams();
  await streams.create('s', 'a'.repeat(60));
  await streams.append('s', 'b'.repeat(40));
  for (const letter of ['c', 'd', 'e']) await streams.append('s', letter.repeat(10));
  await streams.deps.sealer.idle();
});
afterEach(() => streams.close());

const at = (chunk: number, position: number) => ({ chunk, position });
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function piecesFrom(chunk: number, position: number, store = streams.deps.store) {
  const deps = { ...streams.deps, store };
  const plan = await planRead(deps.store, await streams.state('s'), {
    from: at(chunk, position),
    bytesMax: 1_000,
  });
  streams.calls.length = 0;
  const found: Piece[] = [];
  let error: unknown;
  try {
    for await (const piece of readSpans(deps, plan)) found.push(piece);
  } catch (thrown) {
    error = (thrown as { code: string }).code;
  }
  const pieces = found.map(
    ({ chunk: of, lo, bytes, ends, next }) =>
      `${of}:${lo} ${bytes.length} ends ${ends} then ${next.chunk}:${next.position}`,
  );
  return { pieces, error };
}

async function spoilHot(position: number): Promise<void> {
  streams.database.run('UPDATE chunks SET checksum = checksum + 1 WHERE chunk_seq = 1 AND position = ?', [
    position,
  ]);
}

async function segment(): Promise<[string, Uint8Array]> {
  const key = segmentKey(digestOf((await streams.state('s')).life), 0);
  const bytes = streams.bucket.get(key);
  if (!bytes) throw new Error('there is no segment');
  return [key, bytes];
}

test('pieces have their bytes, the ends of their records and what follows', async () => {
  expect(await piecesFrom(0, 0)).toEqual({
    pieces: ['0:0 100 ends 60,100 then 1:0', '1:0 30 ends 10,20,30 then 1:30'],
    error: undefined,
  });
  expect((await piecesFrom(0, 70)).pieces[0]).toBe('0:70 30 ends 100 then 1:0');
  expect(await piecesFrom(1, 5)).toEqual({ pieces: ['1:5 25 ends 10,20,30 then 1:30'], error: undefined });
  expect(streams.calls).toEqual(['readHot']);
});

test('a store may return a part of a span; the rest is read next', async () => {
  const { store } = streams.deps;
  const parts = new Proxy(store, {
    get: (target, name) => {
      if (name !== 'readHot') return Reflect.get(target, name);
      return (key: never, span: { chunk: number; lo: number; hi: number }) =>
        store.readHot(key, { ...span, hi: Math.min(span.hi, span.lo + 10) });
    },
  });
  expect(await piecesFrom(1, 0, parts)).toEqual({
    pieces: ['1:0 10 ends 10 then 1:10', '1:10 10 ends 20 then 1:20', '1:20 10 ends 30 then 1:30'],
    error: undefined,
  });
  expect(streams.calls).toEqual(['readHot', 'readHot', 'readHot']);
});

test('a store that returns nothing ends the span', async () => {
  const nothing = { bytes: new Uint8Array(0), ends: [], corruptAt: null };
  const empty = new Proxy(streams.deps.store, {
    get: (target, name) => (name === 'readHot' ? async () => nothing : Reflect.get(target, name)),
  });
  expect(await piecesFrom(1, 0, empty)).toEqual({ pieces: [], error: undefined });
});

test('damage ends the read after the bytes before it, and is reported first', async () => {
  await spoilHot(10);
  expect(await piecesFrom(1, 0)).toEqual({ pieces: ['1:0 10 ends 10 then 1:10'], error: 'STREAM_CORRUPT' });
  expect(streams.corrupted).toEqual([['s', at(1, 10)]]);
  expect(streams.calls).toEqual(['readHot', 'markCorrupt']);
});

test('a read that begins with damage has no piece', async () => {
  await spoilHot(0);
  expect(await piecesFrom(1, 0)).toEqual({ pieces: [], error: 'STREAM_CORRUPT' });
  expect(streams.corrupted).toEqual([['s', at(1, 0)]]);
});

test('a segment without a sound index is damaged from its first byte', async () => {
  const [, bytes] = await segment();
  bytes[bytes.length - 12] = 99;
  expect(await piecesFrom(0, 70)).toEqual({ pieces: [], error: 'STREAM_CORRUPT' });
  expect(streams.corrupted).toEqual([['s', at(0, 0)]]);
});

test('a missing segment is unavailable, unless the stream is gone', async () => {
  const [key] = await segment();
  streams.bucket.delete(key);
  expect((await piecesFrom(0, 0)).error).toBe('STORAGE_UNAVAILABLE');
  expect(streams.corrupted).toEqual([]);
  const state = await streams.state('s');
  const { spans } = await planRead(streams.deps.store, state, { from: at(0, 0), bytesMax: 1_000 });
  streams.engine.remove(state);
  await expect(readSpans(streams.deps, { spans }).next()).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
  await expect(readSpans(streams.deps, { spans: spans.slice(1) }).next()).rejects.toMatchObject({
    code: 'STREAM_NOT_FOUND',
  });
});

test('a chunk that is sealed after the plan is read from its segment', async () => {
  await streams.append('s', 'f'.repeat(70));
  const { spans } = await planRead(streams.deps.store, await streams.state('s'), {
    from: at(1, 0),
    bytesMax: 1_000,
  });
  expect(spans[0]?.cold).toBe(false);
  await streams.deps.sealer.idle();
  const { value } = await readSpans(streams.deps, { spans }).next();
  expect(value?.bytes).toHaveLength(100);
});

test('a reader that leaves ignores the failure of what was read ahead', async () => {
  for (let n = 0; n < 2; n++) await streams.append('s', 'x'.repeat(100));
  await streams.deps.sealer.idle();
  const { spans } = await planRead(streams.deps.store, await streams.state('s'), {
    from: at(0, 0),
    bytesMax: 1_000,
  });
  for (const key of streams.bucket.keys()) if (key.endsWith('1')) streams.bucket.delete(key);
  const pieces = readSpans(streams.deps, { spans });
  expect((await pieces.next()).value?.bytes).toHaveLength(100);
  await settle();
  expect((await pieces.return(undefined)).done).toBe(true);
});

test('a read may begin before known damage only', async () => {
  const state = { ...(await streams.state('s')), corruptFrom: at(1, 10) };
  expect(() => refuseDamaged(state, at(1, 9))).not.toThrow();
  expect(() => refuseDamaged({ ...state, corruptFrom: null }, at(9, 9))).not.toThrow();
  for (const from of [at(1, 10), at(1, 11), at(2, 0)]) {
    expect(() => refuseDamaged(state, from)).toThrow(expect.objectContaining({ code: 'STREAM_CORRUPT' }));
  }
});

test('damage spreads to the forks that share the bytes, and to theirs', async () => {
  await streams.fork('late', 's');
  await streams.fork('later', 'late');
  await streams.fork('early', 's', { 'stream-fork-offset': '-1' });
  await streams.append('early', 'own');
  await streams.fork('early-child', 'early');
  const fork = (await streams.state('s')).hash;
  await streams.fork('edge', 's', { 'stream-fork-offset': `${fork}:00000001:0000000010` });
  const noted: string[] = [];
  const damage = { stream: await streams.state('s'), from: at(1, 10) };
  await spreadDamage(streams.deps.store, damage, ({ stream, from }) =>
    noted.push(`${stream.id} ${from.chunk}:${from.position}`),
  );
  expect(noted.sort()).toEqual(['late 1:10', 'later 1:10', 's 1:10']);
  const marked = ['s', 'late', 'later', 'early', 'early-child', 'edge'].map(
    async (id) => (await streams.state(id)).corruptFrom?.position,
  );
  expect(await Promise.all(marked)).toEqual([10, 10, 10, undefined, undefined, undefined]);
});
