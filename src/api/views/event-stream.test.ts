import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asSondeError, ERROR_CODES } from '../../errors.js';
import type { Tenant } from '../../jobs/index.js';
import { errorReply } from '../../kernel/reply.js';
import { toResponse } from '../../kernel/web-door.js';
import { type EventStream, replyWithEventStream } from './event-stream.js';

const SSE_MS = 60_000;
let tenants = 0;
let tenant: Tenant;

beforeEach(() => {
  vi.useFakeTimers();
  tenants++;
  tenant = {
    id: `t${tenants}`,
    slug: `t${tenants}`,
    name: 'Few readers',
    quotas: { liveReaders: 1 },
    createdAt: 0,
  };
});
afterEach(() => {
  vi.useRealTimers();
});

/** The response, or the error instead of it. */
function follow(signal = new AbortController().signal): Response {
  const stream: EventStream = {
    tenant,
    sseMs: SSE_MS,
    stopping: () => false,
    async *frames(ended) {
      yield 'id: 1\n\n';
      await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }));
    },
  };
  try {
    return toResponse(replyWithEventStream(stream, signal));
  } catch (thrown) {
    return toResponse(errorReply(asSondeError(thrown)));
  }
}

test("refuses a reader beyond the tenant's limit", async () => {
  expect(follow().status).toBe(200);
  expect(follow().status).toBe(ERROR_CODES.TOO_MANY_READERS.status);
});

test('an aborted request frees its slot even if nothing was read', async () => {
  const disconnect = new AbortController();
  follow(disconnect.signal);
  disconnect.abort();
  expect(follow().status).toBe(200);
});

test('a cancelled body frees its slot', async () => {
  const { body } = follow();
  await body?.cancel();
  expect(follow().status).toBe(200);
});

test('an unnoticed disconnect frees its slot when the response would have ended', async () => {
  follow();
  const startedAt = performance.now();
  const monotonic = vi.spyOn(performance, 'now').mockReturnValue(startedAt + SSE_MS - 1);
  expect(follow().status).toBe(429);
  monotonic.mockReturnValue(startedAt + SSE_MS);
  expect(follow().status).toBe(200);
});

test('a slot is released only once', async () => {
  const disconnect = new AbortController();
  const { body } = follow(disconnect.signal);
  disconnect.abort();
  expect(follow().status).toBe(200);
  await body?.cancel();
  expect(follow().status).toBe(429);
});

test('a response ends after its time and frees its slot', async () => {
  const reader = follow().body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  const second = reader?.read();
  expect((await second)?.value).toBe('id: 1\n\n');
  const third = reader?.read();
  await vi.advanceTimersByTimeAsync(SSE_MS);
  expect((await third)?.done).toBe(true);
  expect(follow().status).toBe(200);
});
