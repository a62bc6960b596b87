import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callOf, InlineStreams } from '../../test/support/inline-streams.js';
import { appendMessage, appendOwn, appendStream } from './append-stream.js';
import { createOwn } from './create-stream.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const HOUR = 3_600_000;
let streams: InlineStreams;

beforeEach(async () => {
  streams = new InlineStreams({ limits: { streamBytesMax: 1_000, storedBytes: 500, sealPauseMs: HOUR } });
  await streams.create('s', 'abc');
  streams.calls.length = 0;
  streams.changed.length = 0;
});
afterEach(() => streams.close());

const producer = (epoch: number, seq: number) => ({
  'producer-id': 'p',
  'producer-epoch': String(epoch),
  'producer-seq': String(seq),
});
const send = (id: string, headers: Record<string, string>, body = '') =>
  appendStream(streams.deps, callOf(id, { headers, body }));
const offset = (position: number) => expect.stringMatching(new RegExp(`:0{8}:0*${position}$`));

describe('a request', () => {
  test('needs a body, unless it closes', async () => {
    await expect(send('s', { 'content-type': 'text/plain' })).rejects.toThrow('needs a body');
    expect(await send('s', { 'stream-closed': 'true' })).toEqual({
      status: 204,
      headers: { 'Stream-Next-Offset': offset(3), 'Stream-Closed': 'true' },
    });
  });

  test('with a body needs its content type, even if it closes', async () => {
    await expect(send('s', {}, 'x')).rejects.toThrow('needs the Content-Type');
    await expect(send('s', { 'stream-closed': 'true' }, 'x')).rejects.toThrow('needs the Content-Type');
  });

  test('that only closes may name any content type', async () => {
    const { status } = await send('s', { 'content-type': 'image/png', 'stream-closed': 'true' });
    expect(status).toBe(204);
  });

  test('for a JSON stream needs at least one message', async () => {
    await streams.create('j', '', JSON_TYPE);
    await expect(send('j', JSON_TYPE, '[]')).rejects.toThrow('contains no messages');
    await send('j', JSON_TYPE, ' [1] ');
    expect((await streams.state('j')).totalBytes).toBe(2);
    expect(await send('j', { 'content-type': 'text/plain' }, '[1]')).toMatchObject({ status: 409 });
  });
});

describe('the response', () => {
  test('has the next offset, and says whether the stream is closed', async () => {
    expect(await streams.append('s', 'de')).toEqual({
      status: 204,
      headers: { 'Stream-Next-Offset': offset(5) },
    });
    expect(await streams.append('s', 'f', { 'stream-closed': 'true' })).toEqual({
      status: 204,
      headers: { 'Stream-Next-Offset': offset(6), 'Stream-Closed': 'true' },
    });
  });

  test('to a producer has its epoch and sequence number; a retry gets the highest one', async () => {
    expect(await streams.append('s', 'd', producer(2, 0))).toEqual({
      status: 200,
      headers: { 'Stream-Next-Offset': offset(4), 'Producer-Epoch': '2', 'Producer-Seq': '0' },
    });
    await streams.append('s', 'e', producer(2, 1));
    expect(await streams.append('s', 'd', producer(2, 0))).toEqual({
      status: 204,
      headers: { 'Stream-Next-Offset': offset(5), 'Producer-Epoch': '2', 'Producer-Seq': '1' },
    });
    expect((await send('s', { ...producer(2, 2), 'stream-closed': 'true' })).status).toBe(204);
  });
});

describe('a refusal', () => {
  test.each<[string, Record<string, string>, string, object]>([
    ['another type', { 'content-type': 'text/html' }, 'x', { code: 'CONTENT_TYPE_MISMATCH' }],
    ['an old Stream-Seq', { 'stream-seq': 'a' }, 'x', { code: 'SEQUENCE_CONFLICT', details: { last: 'b' } }],
    ['a new epoch that does not start at 0', producer(4, 1), 'x', { code: 'INVALID_REQUEST' }],
  ])('%s', async (_name, headers, body, error) => {
    await streams.append('s', 'd', { 'stream-seq': 'b', ...producer(3, 0) });
    streams.changed.length = 0;
    expect(await streams.append('s', body, headers)).toMatchObject({ headers: {}, error });
    expect(streams.changed).toEqual([]);
  });

  test('names what the producer did wrong in headers', async () => {
    await streams.append('s', 'd', producer(3, 0));
    expect(await streams.append('s', 'x', producer(2, 1))).toMatchObject({
      status: 403,
      headers: { 'Producer-Epoch': '3' },
      error: { code: 'PRODUCER_FENCED' },
    });
    expect(await streams.append('s', 'x', producer(3, 7))).toMatchObject({
      headers: { 'Producer-Expected-Seq': '1', 'Producer-Received-Seq': '7' },
      error: { code: 'PRODUCER_GAP' },
    });
  });

  test('of a closed stream says that and where it ends', async () => {
    await streams.append('s', 'd', { 'stream-closed': 'true' });
    expect(await streams.append('s', 'x')).toMatchObject({
      status: 409,
      headers: { 'Stream-Next-Offset': offset(4), 'Stream-Closed': 'true' },
      error: { code: 'STREAM_CLOSED' },
    });
  });

  test('for the size has the limit and the tail', async () => {
    const small = new InlineStreams({ limits: { streamBytesMax: 5 } });
    await small.create('s', 'abc');
    expect(await small.append('s', 'def')).toMatchObject({
      status: 413,
      error: { code: 'STREAM_TOO_LARGE', details: { max: 5, offset: offset(3) } },
    });
    await small.close();
  });

  test('costs one call of the store and publishes nothing', async () => {
    await streams.append('s', 'x', { 'content-type': 'text/html' });
    expect([streams.calls, streams.changed]).toEqual([['append'], []]);
  });

  test('of a missing stream is 404; of a damaged one 500', async () => {
    await expect(streams.append('none', 'x')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
    await streams.deps.onCorrupt(await streams.state('s'), { chunk: 0, position: 0 });
    expect(await streams.append('s', 'x')).toMatchObject({ status: 500, error: { code: 'STREAM_CORRUPT' } });
  });

  test('of an expired stream is 404, and removes it', async () => {
    await streams.create('old', 'x', { 'stream-ttl': '10' });
    streams.now += 10_000;
    await expect(streams.append('old', 'x')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
    expect(await streams.deps.store.get('old')).toBeUndefined();
    expect(streams.removed.map(({ id }) => id)).toEqual(['old']);
  });

  test('of a deleted stream is 410', async () => {
    await streams.fork('f', 's');
    await streams.deps.store.remove(await streams.state('s'));
    expect(await streams.append('s', 'x')).toMatchObject({ status: 410, error: { code: 'STREAM_GONE' } });
  });
});

test('a retry renews a time to live', async () => {
  await streams.create('t', '', { 'stream-ttl': '10' });
  await streams.append('t', 'x', producer(0, 0));
  streams.now += 9_000;
  await streams.append('t', 'x', producer(0, 0));
  streams.now += 9_000;
  expect((await streams.append('t', 'y', producer(0, 1))).status).toBe(200);
});

test('an append is published with its bytes, and a full chunk is counted', async () => {
  const { life } = await streams.state('s');
  const events: string[] = [];
  streams.deps.tails.watch(life, {
    onAppend: ({ from, bytes, state }) =>
      events.push(`${from.position} ${new TextDecoder().decode(bytes)} ${state.totalBytes}`),
    onGone: () => {},
  });
  await streams.append('s', 'def');
  expect([events, streams.changed.map(({ totalBytes }) => totalBytes)]).toEqual([['3 def 6'], [6]]);
  expect(streams.deps.sealer.waiting).toBe(0);
  await streams.append('s', 'x'.repeat(100));
  expect(streams.deps.sealer.waiting).toBe(1);
});

test('only stored bytes count against the tenant', async () => {
  await streams.create('stream/acme/a');
  await streams.append('stream/acme/a', 'x'.repeat(300), { 'content-type': 'text/html' });
  await streams.append('stream/acme/a', 'x'.repeat(300));
  expect(await streams.deps.storedBytes.refusal('acme', 200)).toBeUndefined();
  await expect(streams.append('stream/acme/a', 'x'.repeat(201))).rejects.toMatchObject({
    code: 'QUOTA_EXCEEDED',
  });
  await streams.append('stream/acme/a', 'x'.repeat(200));
  expect(await streams.deps.storedBytes.refusal('acme', 1)).toBeDefined();
});

describe('the server itself', () => {
  const own = { id: 'proxy/1', life: 'life of 1' };

  beforeEach(async () => {
    await createOwn(streams.deps, {
      ...own,
      contentType: 'text/plain',
      expiresAt: streams.now + HOUR,
      metadata: '{"a":1}',
      collection: 'proxy/acme',
      data: null,
    });
    streams.changed.length = 0;
  });

  const data = new TextEncoder().encode('xyz');

  test('appends without closing, and keeps the metadata', async () => {
    expect(await appendOwn(streams.deps, own, { data })).toMatchObject({
      kind: 'appended',
      state: { totalBytes: 3, closed: false, metadata: '{"a":1}' },
    });
    expect(streams.changed).toHaveLength(1);
    expect(
      await appendOwn(streams.deps, own, { data: null, close: true, metadata: '{"b":2}' }),
    ).toMatchObject({
      state: { closed: true, metadata: '{"b":2}' },
    });
  });

  test('gets refusals as results, and nothing is published for them', async () => {
    expect(await appendOwn(streams.deps, own, { data, after: 1 })).toMatchObject({
      kind: 'refused',
      why: { rule: 'gap' },
    });
    expect(await appendOwn(streams.deps, { ...own, life: 'another' }, { data })).toEqual({ kind: 'missing' });
    expect(streams.changed).toEqual([]);
    expect(await appendOwn(streams.deps, own, { data, after: 0 })).toMatchObject({ kind: 'appended' });
  });

  test('names the tenant that its bytes count against', async () => {
    await appendOwn(streams.deps, own, { data });
    await appendOwn(streams.deps, own, { data, tenant: 'acme' });
    expect(await streams.deps.storedBytes.refusal('acme', 497)).toBeUndefined();
    expect(await streams.deps.storedBytes.refusal('acme', 498)).toBeDefined();
  });

  test('appends a message to a stream of any type', async () => {
    await streams.create('j', '', JSON_TYPE);
    expect(await appendMessage(streams.deps, 'none', '1')).toBe('missing');
    expect(await appendMessage(streams.deps, 'j', '{"a":1}')).toBe('appended');
    expect(await appendMessage(streams.deps, 's', '{"a":1}')).toBe('appended');
    expect((await streams.state('j')).totalBytes).toBe(8);
    expect((await streams.state('s')).totalBytes).toBe(10);
  });
});
