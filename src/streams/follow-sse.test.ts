import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Ask, callOf, InlineStreams } from '../../test/support/inline-streams.js';
import { LiveReader } from '../../test/support/live-reader.js';
import { cursorAt } from './cursor.js';
import { readStream } from './read-stream.js';
import { removeStream } from './remove-stream.js';
import type { StreamCall } from './stream-response.js';

const LIMITS = { sseMs: 5_000, bufferedBytes: 300, readersPerStream: 2, readBytes: 150 };
/** A deadline fires at most this late. */
const TICKS_MS = 200;
let streams: InlineStreams;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  streams = new InlineStreams({ limits: LIMITS });
  await streams.create('s', 'abc');
});

afterEach(async () => {
  await streams.close();
  vi.useRealTimers();
});

/** Resolves after everything that is due in this turn of the event loop. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const open = (id: string, { query, ...ask }: Ask = {}, more: Partial<StreamCall> = {}) =>
  readStream(streams.deps, {
    ...callOf(id, { ...ask, query: { live: 'sse', offset: '-1', ...query } }),
    ...more,
  });

async function follow(id: string, ask: Ask = {}, more: Partial<StreamCall> = {}): Promise<LiveReader> {
  const { body } = await open(id, ask, more);
  if (body?.kind !== 'live') throw new Error('not a live body');
  const reader = new LiveReader();
  body.start(reader);
  await settle();
  return reader;
}

async function append(id: string, body: string, headers: Record<string, string> = {}): Promise<void> {
  await streams.append(id, body, headers);
  await settle();
}

interface Event {
  readonly data?: string;
  readonly at?: string;
  readonly cursor?: number;
  readonly upToDate?: true;
  readonly closed?: true;
}

/** The events that a reader got: the data of data events, and the chunk and position of control events. */
function eventsOf({ text }: LiveReader): Event[] {
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const data = event.replace(/^event: \w+\ndata:/, '').replaceAll('\ndata:', '\n');
      if (event.startsWith('event: data\n')) return { data };
      const { streamNextOffset, streamCursor, upToDate, streamClosed, ...rest } = JSON.parse(data);
      const [, chunk, position] = streamNextOffset.split(':').map(Number);
      return {
        at: `${chunk}.${position}`,
        ...(streamCursor && { cursor: Number(streamCursor) }),
        ...(upToDate && { upToDate }),
        ...(streamClosed && { closed: streamClosed }),
        ...rest,
      };
    });
}

const cursor = () => cursorAt(streams.now);
const upTo = (at: string) => ({ at, cursor: cursor(), upToDate: true });

describe('the response', () => {
  test.each([
    ['text/plain', undefined],
    ['application/json', undefined],
    ['application/octet-stream', 'base64'],
  ])('for %s has the encoding %s', async (type, encoding) => {
    await streams.create('t', '', { 'content-type': type });
    const { status, headers } = await open('t');
    expect([status, headers]).toEqual([
      200,
      {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-cache, no-transform',
        'X-Accel-Buffering': 'no',
        ...(encoding && { 'Stream-SSE-Data-Encoding': encoding }),
      },
    ]);
  });

  test('is refused if the stream has too many readers', async () => {
    const [first] = [await follow('s'), await follow('s')];
    await expect(open('s')).rejects.toMatchObject({ code: 'TOO_MANY_READERS' });
    first?.leave();
    expect((await open('s')).status).toBe(200);
  });

  test('is refused if the tenant has too many readers', async () => {
    const few = new InlineStreams({ tenantLimits: async () => ({ liveReaders: 1 }) });
    await few.create('stream/acme/a');
    const call = callOf('stream/acme/a', { query: { live: 'sse', offset: 'now' } });
    const { body } = await readStream(few.deps, call);
    const reader = new LiveReader();
    if (body?.kind === 'live') body.start(reader);
    await expect(readStream(few.deps, call)).rejects.toThrow('a tenant can have at most 1');
    reader.leave();
    expect((await readStream(few.deps, call)).status).toBe(200);
    await few.close();
  });

  test('ends at once if others took the last place since', async () => {
    const { body } = await open('s');
    await follow('s');
    await follow('s');
    const late = new LiveReader();
    if (body?.kind === 'live') body.start(late);
    await settle();
    expect([late.outcome, late.text, streams.deps.tails.readers]).toEqual(['ended', '', 2]);
  });
});

describe('a reader', () => {
  test('gets what is stored and then what is appended, each with its offset', async () => {
    const reader = await follow('s');
    expect(eventsOf(reader)).toEqual([{ data: 'abc' }, upTo('0.3')]);
    await append('s', 'de\nf');
    expect(eventsOf(reader).slice(2)).toEqual([{ data: 'de\nf' }, upTo('0.7')]);
    expect(reader.outcome).toBe('open');
  });

  test('at the tail gets a control event at once', async () => {
    const reader = await follow('s', { query: { offset: 'now' } });
    expect(eventsOf(reader)).toEqual([upTo('0.3')]);
    await append('s', 'd');
    expect(eventsOf(reader).slice(1)).toEqual([{ data: 'd' }, upTo('0.4')]);
  });

  test('gets several responses worth of stored bytes, and is up to date only at the end', async () => {
    for (const letter of ['x', 'y', 'z']) await append('s', letter.repeat(100));
    const reader = await follow('s');
    const now = { cursor: cursor() };
    expect(eventsOf(reader)).toEqual([
      { data: `abc${'x'.repeat(100)}` },
      { at: '1.0', ...now },
      { data: 'y'.repeat(100) },
      { at: '2.0', ...now },
      { data: 'z'.repeat(100) },
      upTo('3.0'),
    ]);
  });

  test('gets no event twice if an append was stored before it became live', async () => {
    const { body } = await open('s');
    const reader = new LiveReader();
    streams.before('get', () => streams.append('s', 'def'));
    if (body?.kind === 'live') body.start(reader);
    await settle();
    expect(eventsOf(reader).filter(({ data }) => data !== undefined)).toEqual([
      { data: 'abc' },
      { data: 'def' },
    ]);
    await append('s', 'g');
    expect(eventsOf(reader).slice(-2)).toEqual([{ data: 'g' }, upTo('0.7')]);
  });

  test('that missed an event reads it from the store', async () => {
    const reader = await follow('s');
    await streams.deps.store.append('s', {
      ...{ data: new TextEncoder().encode('de'), contentType: null, seq: null, producer: null },
      ...{ close: false, now: 0, bytesMax: 1e9 },
    });
    await append('s', 'f');
    expect(eventsOf(reader).slice(2)).toEqual([{ data: 'def' }, upTo('0.6')]);
    await append('s', 'g');
    expect(eventsOf(reader).slice(4)).toEqual([{ data: 'g' }, upTo('0.7')]);
  });

  test('gets the end of the stream with the facts of its host, and then the end of the response', async () => {
    const closingFacts = () => ({ outcome: 'completed' });
    const reader = await follow('s', {}, { closingFacts });
    await append('s', 'd', { 'stream-closed': 'true' });
    const end = { at: '0.4', upToDate: true, closed: true, outcome: 'completed' };
    expect(eventsOf(reader).slice(2)).toEqual([{ data: 'd' }, end]);
    expect([reader.outcome, reader.ends, streams.deps.tails.readers]).toEqual(['ended', 1, 0]);
    const late = await follow('s', {}, { closingFacts });
    expect([eventsOf(late), late.outcome]).toEqual([[{ data: 'abcd' }, end], 'ended']);
    const last = await follow('s', { query: { offset: 'now' } });
    expect([eventsOf(last), last.outcome]).toEqual([[{ at: '0.4', upToDate: true, closed: true }], 'ended']);
  });

  test('gets a close without data as a control event alone', async () => {
    const readers = [await follow('s'), await follow('s')];
    await append('s', '', { 'stream-closed': 'true' });
    for (const reader of readers)
      expect(eventsOf(reader).slice(2)).toEqual([{ at: '0.3', upToDate: true, closed: true }]);
  });

  test('with a cursor ahead of the time keeps ahead', async () => {
    const ahead = cursor() + 500;
    const readers = [await follow('s'), await follow('s', { query: { cursor: String(ahead) } })];
    const [first, second] = readers.map((reader) => eventsOf(reader).at(-1)?.cursor ?? 0);
    expect([first, (second ?? 0) > ahead]).toEqual([cursor(), true]);
    await append('s', 'd');
    expect(readers.map((reader) => eventsOf(reader).at(-1)?.cursor)).toEqual([first, second]);
    streams.now += 20_000;
    await append('s', 'e');
    expect(readers.map((reader) => eventsOf(reader).at(-1)?.cursor)).toEqual([(first ?? 0) + 1, second]);
    expect(readers.map((reader) => eventsOf(reader).at(-2)?.data)).toEqual(['e', 'e']);
  });

  test('gets large records in events of about 256 KiB', async () => {
    const large = new InlineStreams({ chunkBytes: 10_000_000 });
    await large.create('s');
    const lengths = [100_000, 100_000, 62_143, 1, 100_000, 262_144, 262_143, 5];
    for (const length of lengths) await large.append('s', 'x'.repeat(length));
    const { body } = await readStream(large.deps, callOf('s', { query: { live: 'sse', offset: '-1' } }));
    const reader = new LiveReader();
    if (body?.kind === 'live') body.start(reader);
    await vi.waitFor(() => expect(reader.text).toContain('upToDate'));
    const events = eventsOf(reader);
    expect(events.flatMap(({ data }) => (data === undefined ? [] : [data.length]))).toEqual([
      262_144, 362_144, 262_148,
    ]);
    expect(events.flatMap(({ at }) => (at === undefined ? [] : [at]))).toEqual([
      '0.262144',
      '0.624288',
      '0.886436',
    ]);
    reader.leave();
    await large.close();
  });
});

describe('a reader that is slow', () => {
  test('is sent stored bytes only as it takes them', async () => {
    for (const letter of ['x', 'y']) await append('s', letter.repeat(100));
    const { body } = await open('s');
    const reader = new LiveReader();
    reader.stall();
    if (body?.kind === 'live') body.start(reader);
    await settle();
    expect(eventsOf(reader)).toHaveLength(2);
    reader.drain();
    await settle();
    expect(eventsOf(reader)).toHaveLength(4);
  });

  test('and leaves meanwhile is sent nothing more', async () => {
    for (const letter of ['x', 'y']) await append('s', letter.repeat(100));
    const { body } = await open('s');
    const reader = new LiveReader();
    reader.stall();
    if (body?.kind === 'live') body.start(reader);
    await settle();
    reader.leave();
    reader.drain();
    await settle();
    expect([eventsOf(reader).length, reader.outcome, reader.ends]).toEqual([2, 'ended', 1]);
    expect([streams.deps.tails.readers, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('is disconnected once more than the limit is buffered', async () => {
    const reader = await follow('s', { query: { offset: 'now' } });
    const before = reader.text.length;
    reader.stall();
    await append('s', 'x');
    const eventBytes = reader.text.length - before;
    // Fills the buffer to exactly its limit.
    await append('s', 'x'.repeat(LIMITS.bufferedBytes - 2 * eventBytes + 1));
    expect([reader.buffered(), reader.outcome]).toEqual([LIMITS.bufferedBytes, 'open']);
    await append('s', 'x');
    expect([reader.outcome, streams.deps.tails.readers]).toEqual(['ended', 0]);
    const text = reader.text;
    await append('s', 'more');
    expect(reader.text).toBe(text);
  });
});

describe('a response ends', () => {
  test('after its maximum time', async () => {
    const reader = await follow('s');
    await vi.advanceTimersByTimeAsync(LIMITS.sseMs - 100);
    await append('s', 'd');
    expect(reader.outcome).toBe('open');
    await vi.advanceTimersByTimeAsync(100 + TICKS_MS);
    expect([reader.outcome, reader.ends, streams.deps.tails.readers]).toEqual(['ended', 1, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('when its reader leaves', async () => {
    const reader = await follow('s');
    reader.leave();
    reader.leave();
    expect([reader.ends, streams.deps.tails.readers, vi.getTimerCount()]).toEqual([1, 0, 0]);
    const text = reader.text;
    await append('s', 'd');
    expect(reader.text).toBe(text);
  });

  test('when the stream is removed', async () => {
    const reader = await follow('s');
    await removeStream(streams.deps, await streams.state('s'));
    expect([reader.outcome, streams.deps.tails.readers]).toEqual(['ended', 0]);
  });

  test('if the stream was removed before it began', async () => {
    const { body } = await open('s');
    await removeStream(streams.deps, await streams.state('s'));
    const reader = new LiveReader();
    if (body?.kind === 'live') body.start(reader);
    await settle();
    expect([reader.outcome, reader.text, streams.deps.tails.readers]).toEqual(['ended', '', 0]);
  });

  test('with a warning if the store fails', async () => {
    const fail = () => {
      throw new Error('the disk is gone');
    };
    const { body } = await open('s');
    const reader = new LiveReader();
    streams.before('get', fail);
    if (body?.kind === 'live') body.start(reader);
    await settle();
    expect([reader.outcome, streams.lines.map(({ message }) => message)]).toEqual([
      'ended',
      ['a live read ended early'],
    ]);
    const second = await follow('s');
    streams.deps.tails.publish({ chunk: 9, position: 9 }, null, await streams.state('s'));
    streams.before('get', fail);
    await settle();
    expect([second.outcome, streams.deps.tails.readers]).toEqual(['ended', 0]);
  });
});
