/** Live reads of events that are much longer than the text that was appended. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callOf, InlineStreams } from '../../test/support/inline-streams.js';
import { LiveReader } from '../../test/support/live-reader.js';
import { readStream } from './read-stream.js';

const SSE_MS = 5_000;
/** A deadline fires at most this late. */
const TICKS_MS = 200;
/** Resolves after everything that is due in this turn of the event loop. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A text that grows to six times its length, and the event that it becomes. */
const LINES = 1_000_000;
const lineEnds = '\n'.repeat(LINES);
const LINES_EVENT_BYTES = 'event: data\ndata:\n\n'.length + LINES * '\ndata:'.length;
/** What a reader holds at most: one frame with its slices. */
const HELD_MAX = 1024 * 1024;

describe('an event of line ends', () => {
  let large: InlineStreams;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    large = new InlineStreams({ limits: { sseMs: SSE_MS }, chunkBytes: 10_000_000 });
    await large.create('s');
  });
  afterEach(async () => {
    await large.close();
    vi.useRealTimers();
  });

  async function start(offset: string): Promise<LiveReader> {
    const { body } = await readStream(large.deps, callOf('s', { query: { live: 'sse', offset } }));
    const reader = new LiveReader();
    reader.stall();
    if (body?.kind === 'live') body.start(reader);
    await settle();
    return reader;
  }

  /** Opens the reader before or after the append: either path must encode at the reader's pace. */
  async function readerOf(path: 'stored' | 'live'): Promise<LiveReader> {
    if (path === 'stored') await large.append('s', lineEnds);
    const reader = await start(path === 'stored' ? '-1' : 'now');
    if (path === 'live') {
      reader.drain();
      await settle();
      reader.stall();
      await large.append('s', lineEnds);
      await settle();
    }
    return reader;
  }

  async function takeAll(reader: LiveReader, until: () => boolean): Promise<number> {
    let held = 0;
    for (let frame = 0; frame < 100 && !until(); frame++) {
      held = Math.max(held, reader.buffered());
      reader.drain();
      reader.stall();
      await new Promise((resolve) => setTimeout(resolve));
      await settle();
    }
    return held;
  }

  test.each(['stored', 'live'] as const)('is sent as the reader takes it: %s', async (path) => {
    const reader = await readerOf(path);
    const begin = reader.text.indexOf('event: data');
    expect(reader.text.length - begin).toBeLessThan(HELD_MAX);
    const end = '"upToDate":true}\n\n';
    const held = await takeAll(reader, () => reader.text.slice(begin).endsWith(end));
    expect(held).toBeLessThan(HELD_MAX);
    expect(reader.text.slice(begin).indexOf('\n\n') + 2).toBe(LINES_EVENT_BYTES);
    expect(reader.text.slice(begin).split('event: control')).toHaveLength(2);
    reader.drain();
    await settle();
    await large.append('s', 'next');
    await settle();
    expect(reader.text.split('event: data\ndata:next\n\n')).toHaveLength(2);
    reader.leave();
  });

  test('is sent whole although the time is up, if its reader keeps taking it', async () => {
    const reader = await readerOf('stored');
    await takeAll(reader, () => reader.text.length > LINES_EVENT_BYTES / 2);
    await vi.advanceTimersByTimeAsync(SSE_MS + TICKS_MS);
    expect(reader.outcome).toBe('open');
    await takeAll(reader, () => reader.outcome === 'ended');
    expect(reader.text).toContain('"upToDate":true}\n\n');
    expect([reader.ends, large.deps.tails.readers]).toEqual([1, 0]);
  });

  test('ends with the response if its reader takes nothing for as long again', async () => {
    const reader = await readerOf('stored');
    await takeAll(reader, () => reader.text.length > LINES_EVENT_BYTES / 2);
    await vi.advanceTimersByTimeAsync(2 * (SSE_MS + TICKS_MS));
    expect([reader.outcome, reader.text.length < LINES_EVENT_BYTES]).toEqual(['ended', true]);
    expect([large.deps.tails.readers, vi.getTimerCount()]).toEqual([0, 0]);
  });
});
