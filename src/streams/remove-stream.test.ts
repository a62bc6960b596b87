import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callOf, InlineStreams } from '../../test/support/inline-streams.js';
import { deleteStream } from './delete-stream.js';
import { headStream } from './head-stream.js';
import { findStream, openStream, touch } from './open-stream.js';
import { releaseSource, removeStream } from './remove-stream.js';

let streams: InlineStreams;

beforeEach(async () => {
  streams = new InlineStreams({ limits: { storedBytes: 1_000 } });
  await streams.create('stream/acme/s', 'x'.repeat(100));
  await streams.append('stream/acme/s', 'y'.repeat(50));
  await streams.deps.sealer.idle();
  streams.changed.length = 0;
});
afterEach(() => streams.close());

const S = 'stream/acme/s';
const remove = async (id: string) => removeStream(streams.deps, await streams.state(id));
const free = async () => {
  const { storedBytes } = streams.deps;
  for (const bytes of [1_000, 850])
    if ((await storedBytes.refusal('acme', bytes)) === undefined) return bytes;
  return 0;
};
const removed = () => streams.removed.map(({ id }) => id);

describe('removing a stream', () => {
  test('frees its bytes and segments, and notifies its readers once', async () => {
    const { life } = await streams.state(S);
    const gone: string[] = [];
    streams.deps.tails.watch(life, { onAppend: () => {}, onGone: () => void gone.push('gone') });
    expect([streams.bucket.size, await free()]).toEqual([1, 850]);
    const state = await streams.state(S);
    expect(await removeStream(streams.deps, state)).toBe(true);
    expect([streams.bucket.size, await free(), gone, removed()]).toEqual([0, 1_000, ['gone'], [S]]);
    expect(streams.changed).toMatchObject([{ id: S, deleted: true }]);
    expect(await removeStream(streams.deps, state)).toBe(false);
    expect([gone, removed(), streams.changed.length]).toEqual([['gone'], [S], 1]);
  });

  test('keeps its bytes while a fork needs them; removing the last fork removes it too', async () => {
    await streams.fork('f', S);
    await streams.fork('g', S);
    const { life } = await streams.state(S);
    const gone: string[] = [];
    streams.deps.tails.watch(life, { onAppend: () => {}, onGone: () => void gone.push('gone') });
    expect(await remove(S)).toBe(true);
    expect(await remove(S)).toBe(false);
    expect([streams.bucket.size, await free(), gone, removed()]).toEqual([1, 850, ['gone'], []]);
    streams.calls.length = 0;
    await remove('f');
    expect(removed()).toEqual(['f']);
    expect(streams.calls).toEqual(['get', 'remove', 'removeFork']);
    await remove('g');
    expect([streams.bucket.size, await free(), removed()]).toEqual([0, 1_000, ['f', 'g', S]]);
    expect(await streams.deps.store.get(S)).toBeUndefined();
  });

  test('removes a whole line of deleted streams from its last fork up', async () => {
    await streams.fork('f', S);
    await streams.fork('g', 'f');
    await remove(S);
    await remove('f');
    expect(removed()).toEqual([]);
    await remove('g');
    expect(removed()).toEqual(['g', 'f', S]);
  });

  test('leaves a source that was not deleted', async () => {
    await streams.fork('f', S);
    await remove('f');
    expect([removed(), (await streams.state(S)).deleted]).toEqual([['f'], false]);
    expect(await streams.deps.store.forks(await streams.state(S))).toEqual([]);
  });

  test.each([
    [59_999, true],
    [60_000, false],
  ])('a fork that was announced %i ms ago and does not exist keeps its source: %j', async (ms, keeps) => {
    const source = await streams.state(S);
    const announced = { id: 'never', life: 'never', announcedAt: streams.now };
    await streams.deps.store.addFork(source, announced);
    streams.now += ms;
    expect(await remove(S)).toBe(true);
    expect(removed()).toEqual(keeps ? [] : [S]);
    expect((await streams.deps.store.get(S))?.deleted).toBe(keeps || undefined);
  });

  test('is finished by another request in between', async () => {
    const source = await streams.state(S);
    await streams.deps.store.addFork(source, { id: 'never', life: 'never', announcedAt: streams.now });
    streams.now += 60_000;
    streams.before('removeFork', () => {
      streams.engine.removeFork(source, { id: 'never', life: 'never' });
      streams.engine.remove(source);
    });
    expect(await removeStream(streams.deps, source)).toBe(true);
    expect(removed()).toEqual([]);
  });

  test('a fork that was never created is dropped from its source', async () => {
    const source = await streams.state(S);
    await streams.deps.store.addFork(source, { id: 'f', life: 'f', announcedAt: streams.now });
    await releaseSource(streams.deps, source, { id: 'f', life: 'f' });
    expect([await streams.deps.store.forks(source), (await streams.state(S)).deleted]).toEqual([[], false]);
  });
});

describe('a DELETE', () => {
  const send = (id: string) => deleteStream(streams.deps, callOf(id));

  test('is 204 once, then 404', async () => {
    expect(await send(S)).toEqual({ status: 204, headers: {} });
    await expect(send(S)).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
  });

  test('is 410 while forks remain', async () => {
    await streams.fork('f', S);
    expect((await send(S)).status).toBe(204);
    await expect(send(S)).rejects.toMatchObject({ code: 'STREAM_GONE' });
  });

  test('that loses to another is 404, or 410 if forks remain', async () => {
    streams.before('remove', () => streams.engine.remove(streams.engine.get(S) ?? { id: '', life: '' }));
    await expect(send(S)).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
    await streams.create('t');
    await streams.fork('f', 't');
    streams.before('remove', () => streams.engine.remove(streams.engine.get('t') ?? { id: '', life: '' }));
    await expect(send('t')).rejects.toMatchObject({ code: 'STREAM_GONE' });
  });
});

test('a HEAD has the properties of the stream, and is never cached', async () => {
  await streams.append(S, 'z', { 'stream-closed': 'true' });
  const { status, headers, state, body } = await headStream(streams.deps, callOf(S));
  expect([status, state?.id, body]).toEqual([200, S, undefined]);
  expect(headers).toEqual({
    'Content-Type': 'text/plain',
    'Stream-Total-Size': '151',
    'Stream-Write-Units': '3',
    'Stream-Next-Offset': expect.stringMatching(/:00000001:0000000051$/),
    'Stream-Closed': 'true',
    'Cache-Control': 'no-store',
  });
});

describe('opening a stream', () => {
  test('removes it if it has expired, once', async () => {
    await streams.create('t', '', { 'stream-ttl': '10' });
    streams.now += 9_999;
    expect((await openStream(streams.deps, 't')).id).toBe('t');
    streams.now += 1;
    await expect(openStream(streams.deps, 't')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
    expect([removed(), await findStream(streams.deps, 't')]).toEqual([['t'], undefined]);
  });

  test('keeps an expired stream for its forks, as deleted', async () => {
    await streams.create('t', 'x', { 'stream-ttl': '10' });
    await streams.fork('f', 't', { 'stream-ttl': '1000' });
    streams.now += 10_000;
    await expect(openStream(streams.deps, 't')).rejects.toMatchObject({ code: 'STREAM_GONE' });
    expect((await findStream(streams.deps, 't'))?.deleted).toBe(true);
    expect(removed()).toEqual([]);
  });
});

describe('a use of a stream', () => {
  const touched = () => streams.calls.filter((name) => name === 'touch').length;

  test.each([
    ['100', 4_999, 0],
    ['100', 5_000, 1],
    ['1000', 4_999, 0],
    ['1000', 5_000, 1],
    ['20', 999, 0],
    ['20', 1_000, 1],
  ])('with a time to live of %s s, after %i ms, is stored %i times', async (ttl, ms, times) => {
    await streams.create('t', '', { 'stream-ttl': ttl });
    streams.now += ms;
    touch(streams.deps, await streams.state('t'));
    expect(touched()).toBe(times);
    expect((await findStream(streams.deps, 't'))?.accessedAt).toBe(streams.now);
  });

  test('without a time to live is not stored', async () => {
    touch(streams.deps, await streams.state(S));
    expect([touched(), streams.deps.touched.size]).toEqual([0, 0]);
  });

  test('counts even if it was not stored; a later stored one counts too', async () => {
    await streams.create('t', '', { 'stream-ttl': '100' });
    const state = await streams.state('t');
    streams.now += 4_000;
    touch(streams.deps, state);
    await streams.deps.store.touch(state, streams.now + 500);
    expect((await findStream(streams.deps, 't'))?.accessedAt).toBe(streams.now + 500);
  });

  test('that cannot be stored is logged', async () => {
    await streams.create('t', '', { 'stream-ttl': '100' });
    const state = await streams.state('t');
    streams.now += 5_000;
    streams.before('touch', () => {
      throw new Error('the disk is full');
    });
    touch(streams.deps, state);
    await new Promise((resolve) => setImmediate(resolve));
    expect(streams.lines.map(({ message }) => message)).toEqual(['a time to live was not renewed']);
  });
});
