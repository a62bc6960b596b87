import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callOf, InlineStreams, textOf } from '../../test/support/inline-streams.js';
import { cursorAt } from './cursor.js';
import { readStream } from './read-stream.js';
import { removeStream } from './remove-stream.js';
import type { StreamCall } from './stream-response.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const LIMITS = { longPollMs: 1_000, readersPerStream: 2, readBytes: 150 };
let streams: InlineStreams;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  streams = new InlineStreams({ limits: LIMITS });
  await streams.create('s', 'abc');
});

afterEach(async () => {
  expect([streams.deps.tails.readers, vi.getTimerCount()]).toEqual([0, 0]);
  await streams.close();
  vi.useRealTimers();
});

/** Resolves after everything that is due in this turn of the event loop. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const poll = (id: string, query: Record<string, string> = {}, more: Partial<StreamCall> = {}) =>
  readStream(streams.deps, {
    ...callOf(id, { query: { live: 'long-poll', offset: 'now', ...query } }),
    ...more,
  });

/** Starts a poll that waits. */
async function waiting(id: string, query: Record<string, string> = {}, more: Partial<StreamCall> = {}) {
  const response = poll(id, query, more);
  await settle();
  expect(streams.deps.tails.readers).toBeGreaterThan(0);
  return { response };
}

const offset = (chunk: number, position: number) =>
  expect.stringMatching(new RegExp(`:0{7}${chunk}:${String(position).padStart(10, '0')}$`));
const headersAt = (chunk: number, position: number) => ({
  'Content-Type': 'text/plain',
  'Stream-Cursor': String(cursorAt(streams.now)),
  'Stream-Up-To-Date': 'true',
  'Cache-Control': 'no-store',
  'Stream-Next-Offset': offset(chunk, position),
});

describe('a poll with something to read', () => {
  test('is answered at once', async () => {
    const response = await poll('s', { offset: '-1' });
    expect([response.status, response.headers, response.state?.id]).toEqual([200, headersAt(0, 3), 's']);
    expect(await textOf(response)).toBe('abc');
  });

  test('says at the end that the stream is closed', async () => {
    await streams.append('s', '', { 'stream-closed': 'true' });
    expect((await poll('s', { offset: '-1' })).headers).toEqual({
      ...headersAt(0, 3),
      'Stream-Closed': 'true',
    });
  });

  test('is not up to date if more follows', async () => {
    for (const letter of ['x', 'y']) await streams.append('s', letter.repeat(100));
    await streams.append('s', 'z', { 'stream-closed': 'true' });
    const { headers } = await poll('s', { offset: '-1' });
    const { 'Stream-Up-To-Date': _, ...rest } = headersAt(1, 0);
    expect(headers).toEqual(rest);
  });

  test('sees an append that came while it began', async () => {
    streams.before('get', async () => {
      streams.before('get', () => streams.append('s', 'def'));
    });
    const response = await poll('s', { offset: '-1' });
    expect(await textOf(response)).toBe('abcdef');
  });
});

describe('a poll at the tail', () => {
  test('of a closed stream is answered at once', async () => {
    await streams.append('s', '', { 'stream-closed': 'true' });
    const { status, headers, body, state } = await poll('s');
    expect([status, headers, body, state?.closed]).toEqual([
      204,
      { ...headersAt(0, 3), 'Stream-Closed': 'true' },
      undefined,
      true,
    ]);
  });

  test('waits for the next append', async () => {
    const { response } = await waiting('s');
    await streams.append('s', 'def');
    const { status, headers, state } = await response;
    expect([status, headers, state?.totalBytes]).toEqual([200, headersAt(0, 6), 6]);
    expect(await textOf(await response)).toBe('def');
  });

  test('gets JSON as an array, made once for all', async () => {
    await streams.create('j', '', JSON_TYPE);
    const [first, second] = [await waiting('j'), await waiting('j')];
    await streams.append('j', '[1,2]', JSON_TYPE);
    const bodies = [(await first.response).body, (await second.response).body];
    expect(await textOf(await first.response)).toBe('[1,2]');
    expect(bodies.map((body) => body?.kind === 'bytes' && body.bytes)[0]).toBe(
      bodies[1]?.kind === 'bytes' && bodies[1].bytes,
    );
    expect((await first.response).status).toBe(200);
  });

  test('gets a close without data without a body', async () => {
    const { response } = await waiting('s');
    await streams.append('s', '', { 'stream-closed': 'true' });
    const { status, headers, body, state } = await response;
    expect([status, headers, body, state?.closed]).toEqual([
      204,
      { ...headersAt(0, 3), 'Stream-Closed': 'true' },
      undefined,
      true,
    ]);
  });

  test('reads from the store if the event begins elsewhere', async () => {
    const { response } = await waiting('s');
    await streams.deps.store.append('s', {
      ...{ data: new TextEncoder().encode('de'), contentType: null, seq: null, producer: null },
      ...{ close: false, now: 0, bytesMax: 1e9 },
    });
    await streams.append('s', 'f');
    expect(await textOf(await response)).toBe('def');
    expect((await response).headers).toEqual(headersAt(0, 6));
  });

  test('ends empty after its time', async () => {
    const { response } = await waiting('s');
    await vi.advanceTimersByTimeAsync(LIMITS.longPollMs - 100);
    expect(streams.deps.tails.readers).toBe(1);
    await vi.advanceTimersByTimeAsync(300);
    const { status, headers } = await response;
    expect([status, headers]).toEqual([204, headersAt(0, 3)]);
  });

  test('ends when its caller leaves, and no longer listens', async () => {
    const caller = new AbortController();
    const { response } = await waiting('s', {}, { signal: caller.signal });
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1);
    caller.abort();
    expect([(await response).status, getEventListeners(caller.signal, 'abort')]).toEqual([204, []]);
  });

  test('gets a cursor after its own', async () => {
    const given = cursorAt(streams.now) + 5;
    await streams.append('s', '', { 'stream-closed': 'true' });
    const { headers } = await poll('s', { cursor: String(given) });
    expect(Number(headers['Stream-Cursor'])).toBeGreaterThan(given);
  });

  test('is 404 if the stream is removed meanwhile', async () => {
    const { response } = await waiting('s');
    await removeStream(streams.deps, await streams.state('s'));
    await expect(response).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
  });

  test('is 404 if the stream is kept only for its forks', async () => {
    await streams.fork('f', 's');
    const { response } = await waiting('s');
    await removeStream(streams.deps, await streams.state('s'));
    await expect(response).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
  });

  test('ends empty if the readers of the stream are only dropped', async () => {
    const { response } = await waiting('s');
    streams.deps.tails.notifyGone((await streams.state('s')).life);
    expect(await response).toMatchObject({ status: 204, headers: headersAt(0, 3) });
  });

  test('is 404 if the stream is removed while it begins', async () => {
    streams.before('get', async () => {
      streams.before('get', async () =>
        streams.engine.remove(streams.engine.get('s') ?? { id: '', life: '' }),
      );
    });
    await expect(poll('s')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
  });

  test('counts as a reader of the stream and of its tenant', async () => {
    const [first, second] = [await waiting('s'), await waiting('s')];
    await expect(poll('s')).rejects.toMatchObject({ code: 'TOO_MANY_READERS' });
    await streams.append('s', 'd');
    expect([(await first.response).status, (await second.response).status]).toEqual([200, 200]);
    const none = { ...streams.deps, tenantLimits: async () => ({ liveReaders: 0 }) };
    await streams.create('stream/acme/a');
    const call = callOf('stream/acme/a', { query: { live: 'long-poll', offset: 'now' } });
    await expect(readStream(none, call)).rejects.toThrow('a tenant can have at most 0');
  });
});
