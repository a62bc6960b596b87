import { afterEach, beforeEach, expect, test } from 'vitest';
import { InlineStreams } from '../../test/support/inline-streams.js';
import { locate } from './locate.js';
import { formatOffset } from './offset.js';
import { lineUpTo, planRead } from './read-plan.js';

/** A source of two chunks of 100 and 110 bytes and 20 more, and a fork at 1:50 with a chunk of 80 and 7 more. */
let streams: InlineStreams;

beforeEach(async () => {
  streams = new InlineStreams();
  await streams.create('s', 'a'.repeat(100));
  await streams.append('s', 'b'.repeat(50));
  await streams.fork('f', 's');
  await streams.append('s', 'c'.repeat(60));
  await streams.append('s', 'd'.repeat(20));
  await streams.append('f', 'e'.repeat(30));
  await streams.append('f', 'g'.repeat(50));
  await streams.append('f', 'h'.repeat(7));
  await streams.deps.sealer.idle();
  streams.calls.length = 0;
});
afterEach(() => streams.close());

const at = (chunk: number, position: number) => ({ chunk, position });

async function plan(id: string, from: readonly [number, number], bytesMax = 1_000) {
  const state = await streams.state(id);
  streams.calls.length = 0;
  const { spans, end, bytes, complete } = await planRead(streams.deps.store, state, {
    from: at(...from),
    bytesMax,
  });
  const parts = spans.map(
    ({ owner, chunk, lo, hi, next, cold }) =>
      `${owner.id} ${chunk}:${lo}-${hi} ${cold ? 'cold' : 'hot'} then ${next.chunk}:${next.position}`,
  );
  return { parts, end: `${end.chunk}:${end.position}`, bytes, complete };
}

test('a plan goes through sealed chunks to the tail', async () => {
  expect(await plan('s', [0, 0])).toEqual({
    parts: ['s 0:0-100 cold then 1:0', 's 1:0-110 cold then 2:0', 's 2:0-20 hot then 2:20'],
    end: '2:20',
    bytes: 230,
    complete: true,
  });
  expect(streams.calls).toEqual(['chunks']);
});

test('a plan begins inside a chunk', async () => {
  expect(await plan('s', [1, 60])).toMatchObject({
    parts: ['s 1:60-110 cold then 2:0', 's 2:0-20 hot then 2:20'],
    bytes: 70,
  });
});

test('at the tail there is nothing to read, and the store is not asked', async () => {
  expect(await plan('s', [2, 20])).toEqual({ parts: [], end: '2:20', bytes: 0, complete: true });
  expect(streams.calls).toEqual([]);
});

test('a fork has the bytes of its source up to the fork point, and its own from there', async () => {
  const own = ['f 1:50-130 cold then 2:0', 'f 2:0-7 hot then 2:7'];
  expect(await plan('f', [0, 0])).toEqual({
    parts: ['s 0:0-100 cold then 1:0', 's 1:0-50 cold then 1:50', ...own],
    end: '2:7',
    bytes: 237,
    complete: true,
  });
  expect((await plan('f', [1, 49])).parts).toEqual(['s 1:49-50 cold then 1:50', ...own]);
  expect((await plan('f', [1, 50])).parts).toEqual(own);
  expect(streams.calls).toEqual(['chunks']);
});

test('a tail at the start of a chunk has no empty span before it', async () => {
  await streams.append('f', 'i'.repeat(93));
  expect(await plan('f', [2, 0])).toMatchObject({ parts: ['f 2:0-100 hot then 3:0'], end: '3:0' });
});

test.each([
  [1, ['s 0:0-100 cold then 1:0'], '1:0', 100],
  [209, ['s 0:0-100 cold then 1:0'], '1:0', 100],
  [210, ['s 0:0-100 cold then 1:0', 's 1:0-110 cold then 2:0'], '2:0', 210],
  [229, ['s 0:0-100 cold then 1:0', 's 1:0-110 cold then 2:0'], '2:0', 210],
])(
  'with at most %i bytes a plan ends before the chunk that would exceed them',
  async (max, parts, end, bytes) => {
    expect(await plan('s', [0, 0], max)).toEqual({ parts, end, bytes, complete: false });
  },
);

test('a plan of exactly the maximum is complete', async () => {
  expect((await plan('s', [0, 0], 230)).complete).toBe(true);
});

test('a plan never ends at a fork point inside a chunk', async () => {
  expect(await plan('f', [1, 0], 1)).toEqual({
    parts: ['s 1:0-50 cold then 1:50', 'f 1:50-130 cold then 2:0'],
    end: '2:0',
    bytes: 130,
    complete: false,
  });
});

test('positions after the end of their chunk and in lost chunks are refused', async () => {
  await expect(plan('s', [0, 101])).rejects.toThrow('beyond the end of its chunk');
  expect((await plan('s', [0, 100])).parts[0]).toBe('s 1:0-110 cold then 2:0');
  streams.database.run('DELETE FROM sealed_chunks WHERE chunk_seq = 1', []);
  await expect(plan('s', [1, 5])).rejects.toThrow('a part of the stream that was lost');
  expect((await plan('s', [0, 0])).parts).toEqual(['s 0:0-100 cold then 2:0', 's 2:0-20 hot then 2:20']);
});

test('a stream that is removed meanwhile is not found', async () => {
  const state = await streams.state('f');
  streams.engine.remove(state);
  await expect(
    planRead(streams.deps.store, state, { from: at(1, 50), bytesMax: 1_000 }),
  ).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
});

test('a line of ancestors is cut off at a point', () => {
  const ancestor = (id: string, until: ReturnType<typeof at>) => ({ id, life: id, hash: id, until });
  const line = [ancestor('a', at(0, 5)), ancestor('b', at(1, 5)), ancestor('c', at(2, 5))];
  expect(lineUpTo(line, at(1, 5)).map(({ until }) => until)).toEqual([at(0, 5), at(1, 5), at(1, 5)]);
  expect(lineUpTo(line, at(0, 1)).map(({ id, until }) => [id, until])).toEqual([
    ['a', at(0, 1)],
    ['b', at(0, 1)],
    ['c', at(0, 1)],
  ]);
});

test.each([
  ['s', [0, 0], 0, '0:0'],
  ['s', [0, 0], 1, '0:1'],
  ['s', [0, 0], 99, '0:99'],
  ['s', [0, 0], 100, '1:0'],
  ['s', [0, 40], 60, '1:0'],
  ['s', [0, 40], 61, '1:1'],
  ['s', [0, 0], 209, '1:109'],
  ['s', [0, 0], 210, '2:0'],
  ['s', [0, 0], 230, '2:20'],
  ['f', [0, 0], 150, '1:50'],
  ['f', [0, 0], 151, '1:51'],
  ['f', [0, 99], 138, '2:7'],
] as const)('in %s, %j and %i bytes more is %s', async (id, from, skip, expected) => {
  const { hash } = await streams.state(id);
  streams.calls.length = 0;
  const place = await locate(streams.deps, id, { offset: formatOffset(hash, at(from[0], from[1])), skip });
  expect([place.state.id, `${place.from.chunk}:${place.from.position}`]).toEqual([id, expected]);
  if (skip === 0) expect(streams.calls).toEqual(['get']);
});

test.each([
  ['-1', 231],
  ['now', 1],
])('%s and %i bytes more is beyond the end', async (offset, skip) => {
  await expect(locate(streams.deps, 's', { offset, skip })).rejects.toMatchObject({ code: 'OFFSET_INVALID' });
});
