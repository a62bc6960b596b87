import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callOf, InlineStreams } from '../../test/support/inline-streams.js';
import { resolveFork } from './fork-point.js';
import { formatOffset } from './offset.js';

const JSON_TYPE = { 'content-type': 'application/json' };
let streams: InlineStreams;

beforeEach(async () => {
  streams = new InlineStreams();
  await streams.create('s', 'abc');
  await streams.append('s', 'defgh');
});
afterEach(() => streams.close());

const resolve = (headers: Record<string, string>) => resolveFork(streams.deps, callOf('f', { headers }));
const at = (chunk: number, position: number) => ({ chunk, position });

async function point(source: string, place?: readonly [number, number], sub?: string) {
  const { hash } = await streams.state(source);
  const fork = await resolve({
    'stream-forked-from': source,
    ...(place && { 'stream-fork-offset': formatOffset(hash, at(...place)) }),
    ...(sub !== undefined && { 'stream-fork-sub-offset': sub }),
  });
  return fork && [fork.point.chunk, fork.point.position, fork.inheritedBytes];
}

const INVALID = { code: 'OFFSET_INVALID' };

describe('the headers', () => {
  test('are optional, but an offset needs a source', async () => {
    expect(await resolve({})).toBeUndefined();
    await expect(resolve({ 'stream-fork-offset': '-1' })).rejects.toThrow('needs Stream-Forked-From');
    await expect(resolve({ 'stream-fork-sub-offset': '0' })).rejects.toThrow('needs Stream-Forked-From');
  });

  test('name the path of an existing stream', async () => {
    await expect(resolve({ 'stream-forked-from': '/x' })).rejects.toThrow('must be the path of a stream');
    await expect(resolve({ 'stream-forked-from': 'none' })).rejects.toMatchObject({
      code: 'STREAM_NOT_FOUND',
    });
    await streams.fork('g', 's');
    await streams.deps.store.remove(await streams.state('s'));
    await expect(resolve({ 'stream-forked-from': 's' })).rejects.toMatchObject({ code: 'STREAM_CONFLICT' });
  });

  test.each(['', 'x1', '1x', '01', '-1', '1.5', '1000000000000000'])(
    'do not have the sub-offset %j',
    async (sub) => {
      await expect(resolve({ 'stream-forked-from': 's', 'stream-fork-sub-offset': sub })).rejects.toThrow(
        'must be a whole number',
      );
    },
  );

  test('give the fork the lifetime of its source', async () => {
    await streams.create('t', '', { 'stream-ttl': '60' });
    expect(await resolve({ 'stream-forked-from': 't' })).toMatchObject({
      source: { id: 't' },
      lifetime: { ttlSeconds: 60, expiresAt: null },
    });
  });
});

describe('a fork of text', () => {
  test('is at the tail, or at an offset', async () => {
    expect(await point('s')).toEqual([0, 8, 8]);
    expect(await point('s', [0, 3])).toEqual([0, 3, 3]);
    expect(await point('s', [0, 0])).toEqual([0, 0, 0]);
    await expect(point('s', [0, 9])).rejects.toMatchObject(INVALID);
  });

  test('can be any number of bytes into the append after the offset', async () => {
    expect(await point('s', [0, 0], '0')).toEqual([0, 0, 0]);
    expect(await point('s', [0, 0], '1')).toEqual([0, 1, 1]);
    expect(await point('s', [0, 0], '3')).toEqual([0, 3, 3]);
    await expect(point('s', [0, 0], '4')).rejects.toThrow('beyond the end of its append');
    expect(await point('s', [0, 3], '5')).toEqual([0, 8, 8]);
    await expect(point('s', [0, 3], '6')).rejects.toThrow('beyond the end of its append');
    await expect(point('s', [0, 8], '1')).rejects.toThrow('beyond the end of its append');
  });

  test('at the end of a sealed chunk is at the start of the next', async () => {
    await streams.append('s', 'x'.repeat(92));
    await streams.append('s', 'yz');
    expect(await point('s', [0, 8], '91')).toEqual([0, 99, 99]);
    expect(await point('s', [0, 8], '92')).toEqual([1, 0, 100]);
    expect(await point('s', [1, 0], '1')).toEqual([1, 1, 101]);
    await streams.deps.sealer.idle();
    expect(await point('s', [0, 8], '92')).toEqual([1, 0, 100]);
    expect(await point('s', [0, 3])).toEqual([0, 3, 3]);
  });
});

describe('a fork of JSON', () => {
  test('counts messages', async () => {
    await streams.create('j', '[1,"2,",{"a":[3,4]}]', JSON_TYPE);
    expect(await point('j', [0, 0], '1')).toEqual([0, 2, 2]);
    expect(await point('j', [0, 0], '2')).toEqual([0, 7, 7]);
    expect(await point('j', [0, 0], '3')).toEqual([0, 19, 19]);
    await expect(point('j', [0, 0], '4')).rejects.toThrow('beyond the end of its append');
    await expect(point('j', [0, 2])).rejects.toMatchObject(INVALID);
    await streams.append('j', '5', JSON_TYPE);
    await expect(point('j', [0, 0], '4')).rejects.toThrow('beyond the end of its append');
    expect(await point('j', [0, 19], '1')).toEqual([0, 21, 21]);
  });
});

describe('a fork of a fork', () => {
  /** The source has longer chunks than its fork from the fork point on. */
  beforeEach(async () => {
    await streams.fork('f', 's');
    await streams.append('s', 'x'.repeat(150));
    await streams.append('s', 'x'.repeat(30));
    await streams.append('f', 'y'.repeat(92));
    await streams.append('f', 'y'.repeat(20));
  });

  test('has the bytes of its own source, not of an ancestor that went on differently', async () => {
    expect(await point('f')).toEqual([1, 20, 120]);
    expect(await point('f', [1, 0])).toEqual([1, 0, 100]);
    expect(await point('s')).toEqual([1, 30, 188]);
    await streams.append('f', 'y'.repeat(100));
    await streams.append('s', 'x'.repeat(100));
    expect(await point('f', [1, 20])).toEqual([1, 20, 120]);
    expect(await point('f')).toEqual([2, 0, 220]);
    await streams.fork('g', 'f');
    expect(await point('g', [1, 20])).toEqual([1, 20, 120]);
  });

  test('has the bytes of the ancestor if it branches off before its source did', async () => {
    expect(await point('f', [0, 3])).toEqual([0, 3, 3]);
    await streams.deps.sealer.idle();
    expect(await point('f', [0, 8])).toEqual([0, 8, 8]);
    await streams.fork('g', 'f');
    expect(await point('g', [0, 3])).toEqual([0, 3, 3]);
    expect(await point('g', [0, 50])).toEqual([0, 50, 50]);
  });

  test('lists all streams whose bytes it shares, up to its own fork point', async () => {
    const root = await streams.state('s');
    const source = await streams.state('f');
    const ancestors = async (place: readonly [number, number]) =>
      (
        await resolve({
          'stream-forked-from': 'f',
          'stream-fork-offset': formatOffset(source.hash, at(...place)),
        })
      )?.ancestors;
    const line = (root_: readonly [number, number], own: readonly [number, number]) => [
      { id: 's', life: root.life, hash: root.hash, until: at(...root_) },
      { id: 'f', life: source.life, hash: source.hash, until: at(...own) },
    ];
    expect(await ancestors([1, 20])).toEqual(line([0, 8], [1, 20]));
    expect(await ancestors([0, 8])).toEqual(line([0, 8], [0, 8]));
    expect(await ancestors([0, 3])).toEqual(line([0, 3], [0, 3]));
  });
});

test('a fork whose ancestor is gone can still be forked at its start', async () => {
  await streams.append('s', 'x'.repeat(92));
  await streams.fork('f', 's');
  const [root, fork] = [await streams.state('s'), await streams.state('f')];
  streams.engine.removeFork(root, fork);
  streams.engine.remove(root);
  expect(await point('f', [0, 0])).toEqual([0, 0, 0]);
});

describe('a damaged source', () => {
  test('can be forked up to the damage', async () => {
    await streams.deps.store.markCorrupt(await streams.state('s'), at(0, 3));
    expect(await point('s', [0, 3])).toEqual([0, 3, 3]);
    await expect(point('s', [0, 4])).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
    await expect(point('s')).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
  });

  test('without its first chunk can be forked at its start, but not inside a lost chunk', async () => {
    for (let n = 0; n < 3; n++) await streams.append('s', 'x'.repeat(100));
    await streams.deps.sealer.idle();
    streams.database.run('DELETE FROM sealed_chunks WHERE chunk_seq < 2', []);
    expect(await point('s', [0, 0])).toEqual([0, 0, 0]);
    await expect(point('s', [1, 0])).rejects.toThrow('does not exist in the source');
    await expect(point('s', [0, 5])).rejects.toMatchObject(INVALID);
  });
});
