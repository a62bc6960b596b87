import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LiveSink } from '../../src/streams/index.js';
import { StreamHarness } from '../support/stream-harness.js';

/** Every limit on streams, each with the code of its refusal. */
const TEXT = { headers: { 'Content-Type': 'text/plain' } };
const LIMITS = {
  openStreams: 70,
  streamBytesMax: 1000,
  readersPerStream: 2,
  readBytes: 250,
  bufferedBytes: 500,
  longPollMs: 100,
  sseMs: 200,
};
let harness: StreamHarness;

async function start(limits = LIMITS): Promise<void> {
  harness = await StreamHarness.start({ chunkBytes: 100, limits });
  await harness.ask('create', 's', TEXT);
}

beforeEach(() => start());
afterEach(() => harness.stop());

const append = (body: string) => harness.ask('append', 's', { ...TEXT, body });

/** Returns a reader whose connection accepts everything it is sent, or nothing. */
function reader(takes: boolean) {
  const seen: string[] = [];
  let ended = () => {};
  const over = new Promise<void>((resolve) => {
    ended = resolve;
  });
  let waiting = 0;
  const sink: LiveSink = {
    write(bytes) {
      seen.push(new TextDecoder().decode(bytes));
      if (!takes) waiting += bytes.length;
    },
    buffered: () => waiting,
    drained: () => (takes ? Promise.resolve() : new Promise(() => {})),
    end: () => ended(),
    abort: () => ended(),
    onClose: () => {},
  };
  return { sink, seen, over };
}

async function follow(takes = true) {
  const response = await harness.service.read({
    id: 's',
    url: 'http://test/s',
    query: new URLSearchParams({ offset: 'now', live: 'sse' }),
    header: () => null,
    body: async () => new Uint8Array(0),
    idOfPath: () => undefined,
  });
  const { sink, seen, over } = reader(takes);
  if (response.body?.kind === 'live') response.body.start(sink);
  return { seen, over };
}

test('stream size: an append over the limit is refused whole', async () => {
  expect((await append('x'.repeat(990))).status).toBe(204);
  expect(await append('y'.repeat(11))).toMatchObject({ status: 413, code: 'STREAM_TOO_LARGE' });
  expect((await append('z'.repeat(10))).status).toBe(204);
  expect((await harness.ask('head', 's')).headers['Stream-Total-Size']).toBe('1000');
});

test('open streams: one too many is refused, its fork leaves no trace, and a closed stream makes room', async () => {
  for (let i = 1; i < 70; i++) expect((await harness.ask('create', `o${i}`, TEXT)).status).toBe(201);
  const fork = { headers: { 'Stream-Forked-From': 's' } };
  for (const options of [TEXT, fork]) {
    expect(await harness.ask('create', 'late', options)).toMatchObject({
      status: 429,
      code: 'TOO_MANY_STREAMS',
    });
  }
  const source = await harness.host.store.get('s');
  expect(source && (await harness.host.store.forks(source))).toEqual([]);
  expect((await harness.ask('create', 'o1', TEXT)).status).toBe(200);
  await harness.ask('append', 'o1', { headers: { ...TEXT.headers, 'Stream-Closed': 'true' } });
  expect((await harness.ask('create', 'late', fork)).status).toBe(201);
});

test('catch-up size: a response ends at a chunk, reports it, and the next read continues there', async () => {
  for (let i = 0; i < 5; i++) await append(String(i).repeat(100));
  const first = await harness.ask('read', 's');
  expect([first.text.length, first.headers['Stream-Up-To-Date']]).toEqual([200, undefined]);
  expect(first.headers['Stream-Next-Offset']).toMatch(/:00000002:0000000000$/);
  const second = await harness.ask('read', 's', {
    query: { offset: first.headers['Stream-Next-Offset'] ?? '' },
  });
  expect(second.text).toBe(`${'2'.repeat(100)}${'3'.repeat(100)}`);
});

test('readers of one stream: one too many is refused', async () => {
  await follow();
  await follow();
  for (const live of ['sse', 'long-poll']) {
    const refused = await harness.ask('read', 's', { query: { offset: 'now', live } });
    expect(refused).toMatchObject({ status: 429, code: 'TOO_MANY_READERS' });
  }
});

test('a live response ends after its time limit, and its reader has the offset to continue from', async () => {
  const { seen, over } = await follow();
  await append('hello');
  await over;
  expect(seen.join('')).toContain('data:hello');
  expect(harness.service.liveReaders).toBe(0);
});

test('a reader that accepts nothing is dropped at its limit; others are not held up', async () => {
  await harness.stop();
  await start({ ...LIMITS, sseMs: 60_000 });
  const slow = await follow(false);
  const fast = await follow();
  for (let i = 0; i < 6; i++) await append(String(i).repeat(100));
  await slow.over;
  expect(slow.seen.length).toBeLessThan(7);
  await expect.poll(() => fast.seen.join('')).toContain('5'.repeat(100));
});

test('a long-poll ends empty after its time limit', async () => {
  const asked = await harness.ask('read', 's', { query: { offset: 'now', live: 'long-poll' } });
  expect([asked.status, asked.headers['Stream-Up-To-Date']]).toEqual([204, 'true']);
});

describe('time to live', () => {
  test('is extended by use, even if not every use was stored', async () => {
    await harness.ask('create', 't', { headers: { 'Content-Type': 'text/plain', 'Stream-TTL': '100' } });
    for (let i = 0; i < 10; i++) {
      harness.now += 60_000;
      expect((await harness.ask('read', 't')).status).toBe(200);
    }
    harness.now += 100_001;
    expect((await harness.ask('head', 't')).status).toBe(404);
  });

  test('a sweep removes streams that are never requested', async () => {
    await harness.ask('create', 'gone', { headers: { 'Content-Type': 'text/plain', 'Stream-TTL': '1' } });
    harness.now += 2000;
    await harness.service.sweep();
    expect(await harness.host.store.get('gone')).toBeUndefined();
  });
});

test('forks nest 64 deep and no deeper; the deepest reads and writes like any other', async () => {
  await harness.ask('create', 'f0', { ...TEXT, body: '0,' });
  let expected = '0,';
  for (let depth = 1; depth <= 64; depth++) {
    const made = await harness.ask('create', `f${depth}`, {
      headers: { 'Stream-Forked-From': `f${depth - 1}` },
    });
    expect(made.status).toBe(201);
    expect((await harness.ask('append', `f${depth}`, { ...TEXT, body: `${depth},` })).status).toBe(204);
    expected += `${depth},`;
  }
  expect((await harness.ask('read', 'f64')).text).toBe(expected);
  const deeper = await harness.ask('create', 'f65', { headers: { 'Stream-Forked-From': 'f64' } });
  expect(deeper).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  expect((await harness.ask('head', 'f65')).status).toBe(404);
});

test('a fork of a fork accepts the offsets of every ancestor up to its own fork point', async () => {
  await harness.ask('create', 'a', { ...TEXT, body: 'one' });
  await harness.ask('create', 'b', { headers: { 'Stream-Forked-From': 'a' } });
  const ofB = (await harness.ask('head', 'b')).headers['Stream-Next-Offset'] ?? '';
  await harness.ask('create', 'c', { headers: { 'Stream-Forked-From': 'b' } });
  await harness.ask('append', 'c', { ...TEXT, body: 'two' });
  await harness.ask('create', 'd', { headers: { 'Stream-Forked-From': 'c', 'Stream-Fork-Offset': ofB } });
  expect((await harness.ask('read', 'd', { query: { offset: ofB } })).status).toBe(200);
  const ofC = (await harness.ask('head', 'c')).headers['Stream-Next-Offset'] ?? '';
  expect(await harness.ask('read', 'd', { query: { offset: ofC } })).toMatchObject({
    status: 400,
    code: 'OFFSET_INVALID',
  });
  await harness.ask('create', 'other', { ...TEXT, body: 'x' });
  const foreign = (await harness.ask('head', 'other')).headers['Stream-Next-Offset'] ?? '';
  expect(await harness.ask('read', 'd', { query: { offset: foreign } })).toMatchObject({
    code: 'OFFSET_INVALID',
  });
});
