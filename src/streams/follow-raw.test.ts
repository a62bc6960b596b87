import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openInlineStore } from '../../test/support/inline-store.js';
import { keepingLog } from '../../test/support/keeping-log.js';
import { LiveReader } from '../../test/support/live-reader.js';
import { createFileObjectStore } from '../runtimes/node/file-object-store.js';
import type { RawFollow } from './follow-raw.js';
import { StreamService } from './stream-service.js';
import type { StreamKey } from './stream-store.js';

const LIMITS = { longPollMs: 1_000, sseMs: 5_000, bufferedBytes: 10, readersPerStream: 2 };
const KEY: StreamKey = { id: 'proxy/1', life: 'life of 1' };
/** A deadline fires at most this late. */
const TICKS_MS = 200;

let service: StreamService;
let close: () => void;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const folder = mkdtempSync(join(tmpdir(), 'sonde-raw-'));
  const { store, close: closeStore } = openInlineStore(':memory:', { onCommit: () => undefined });
  const objects = createFileObjectStore(folder);
  service = new StreamService({ store, objects, log: keepingLog(), clock: Date.now, limits: LIMITS });
  close = () => {
    closeStore();
    rmSync(folder, { recursive: true, force: true });
  };
  await service.createOwn({
    ...KEY,
    contentType: 'text/plain',
    expiresAt: Date.now() + 3_600_000,
    metadata: '{}',
    collection: 'proxy/a',
    data: new TextEncoder().encode('abc'),
  });
});

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  close();
});

/** Resolves after everything that is due in this turn of the event loop. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
}

async function follow(options: Partial<RawFollow> = {}): Promise<LiveReader> {
  const state = await service.find(KEY.id);
  if (!state) throw new Error('the stream is gone');
  const body = service.followRaw({ state, isComplete: () => true, ...options });
  if (body.kind !== 'live') throw new Error('not a live body');
  const reader = new LiveReader();
  body.start(reader);
  await settle();
  return reader;
}

async function append(text: string | null, isLast = false): Promise<void> {
  const data = text === null ? null : new TextEncoder().encode(text);
  await service.appendOwn(KEY, { data, close: isLast });
  await settle();
}

test('a reader gets what is stored and what is appended, and ends with the stream', async () => {
  const reader = await follow();
  expect([reader.text, service.liveReaders]).toEqual(['abc', 1]);
  await append('def');
  expect([reader.text, reader.outcome]).toEqual(['abcdef', 'open']);
  await append('ghi', true);
  expect([reader.text, reader.outcome, service.liveReaders]).toEqual(['abcdefghi', 'ended', 0]);
  expect(await follow()).toMatchObject({ text: 'abcdefghi', outcome: 'ended' });
});

test('an incomplete response is aborted, not ended', async () => {
  const reader = await follow({ isComplete: ({ totalBytes }) => totalBytes > 3 });
  await append(null, true);
  expect([reader.text, reader.outcome, service.liveReaders]).toEqual(['abc', 'aborted', 0]);
  expect((await follow({ isComplete: ({ totalBytes }) => totalBytes >= 3 })).outcome).toBe('ended');
});

test('a reader starts at its offset, or after the bytes that the caller already has', async () => {
  const from = { chunk: 0, position: 2 };
  const held = new TextEncoder().encode('ABC');
  const readers = [await follow({ from }), await follow({ held })];
  await append('d', true);
  expect(readers.map(({ text }) => text)).toEqual(['cd', 'ABCd']);
});

test('bytes appended before the reader starts are read from the store', async () => {
  const state = await service.find(KEY.id);
  await append('def');
  const reader = await follow(state && { state });
  expect(reader.text).toBe('abcdef');
  await append(null, true);
  expect(reader.outcome).toBe('ended');
});

test('a bounded reader ends after a time without appends; every append restarts the timeout', async () => {
  const reader = await follow({ bounded: true });
  await pass(LIMITS.longPollMs - TICKS_MS);
  await append('d');
  await pass(LIMITS.longPollMs - TICKS_MS);
  expect(reader.outcome).toBe('open');
  await pass(2 * TICKS_MS);
  expect([reader.text, reader.outcome, service.liveReaders]).toEqual(['abcd', 'ended', 0]);
});

test('a bounded reader ends after its maximum time despite new appends', async () => {
  const reader = await follow({ bounded: true });
  for (let ms = 0; ms < LIMITS.sseMs; ms += 500) {
    expect(reader.outcome).toBe('open');
    await append('.');
    await pass(500);
  }
  await pass(TICKS_MS);
  expect([reader.outcome, service.liveReaders]).toEqual(['ended', 0]);
});

test('an unbounded reader waits until it disconnects', async () => {
  const reader = await follow();
  expect(vi.getTimerCount()).toBe(0);
  await pass(10 * LIMITS.sseMs);
  expect([reader.outcome, service.liveReaders]).toEqual(['open', 1]);
  reader.leave();
  await settle();
  expect([reader.outcome, service.liveReaders]).toEqual(['aborted', 0]);
  await append('more');
  expect(reader.text).toBe('abc');
});

test('removing a stream aborts its readers', async () => {
  const reader = await follow();
  await service.removeOwn(KEY.id);
  await settle();
  expect([reader.outcome, service.liveReaders]).toEqual(['aborted', 0]);
});

test('a slow reader gets everything in order from a bounded buffer', async () => {
  const reader = await follow();
  reader.stall();
  await append('d');
  for (const letter of 'efghij') await append(letter);
  expect(reader.text).toBe('abcd');
  // More than the buffer holds, so it is read from the store later.
  for (const letter of 'klmnopqrst') await append(letter);
  reader.drain();
  await settle();
  await append('uvw', true);
  expect([reader.text, reader.outcome]).toEqual(['abcdefghijklmnopqrstuvw', 'ended']);
});

test('refuses readers beyond the limit of a stream; a reader that leaves frees its place', async () => {
  const [first] = [await follow(), await follow()];
  await expect(follow()).rejects.toMatchObject({ code: 'TOO_MANY_READERS' });
  first?.leave();
  await settle();
  const third = await follow();
  await append(null, true);
  expect([third.outcome, service.liveReaders]).toEqual(['ended', 0]);
});
