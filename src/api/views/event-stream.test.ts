import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Tenant } from '../../jobs/index.js';
import type { AppEnv } from '../app-env.js';
import { respondWithEvents } from './event-stream.js';

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

function follow(signal = new AbortController().signal) {
  const app = new Hono<AppEnv>();
  app.onError((error, c) => c.json({ code: 'code' in error ? error.code : String(error) }, 429));
  app.get('/events', (c) =>
    respondWithEvents(c, {
      tenant,
      sseMs: SSE_MS,
      stopping: () => false,
      async *frames(ended) {
        yield 'id: 1\n\n';
        await new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }));
      },
    }),
  );
  return app.request('http://sonde.test/events', { signal });
}

test("refuses a reader beyond the tenant's limit", async () => {
  expect((await follow()).status).toBe(200);
  const refused = await follow();
  expect([refused.status, await refused.json()]).toEqual([429, { code: 'TOO_MANY_READERS' }]);
});

test('an aborted request frees its slot even if nothing was read', async () => {
  const disconnect = new AbortController();
  await follow(disconnect.signal);
  disconnect.abort();
  expect((await follow()).status).toBe(200);
});

test('a cancelled body frees its slot', async () => {
  const { body } = await follow();
  await body?.cancel();
  expect((await follow()).status).toBe(200);
});

test('an unnoticed disconnect frees its slot when the response would have ended', async () => {
  await follow();
  const startedAt = performance.now();
  const monotonic = vi.spyOn(performance, 'now').mockReturnValue(startedAt + SSE_MS - 1);
  expect((await follow()).status).toBe(429);
  monotonic.mockReturnValue(startedAt + SSE_MS);
  expect((await follow()).status).toBe(200);
});

test('a slot is released only once', async () => {
  const disconnect = new AbortController();
  const { body } = await follow(disconnect.signal);
  disconnect.abort();
  expect((await follow()).status).toBe(200);
  await body?.cancel();
  expect((await follow()).status).toBe(429);
});

test('a response ends after its time and frees its slot', async () => {
  const reader = (await follow()).body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  const second = reader?.read();
  expect((await second)?.value).toBe('id: 1\n\n');
  const third = reader?.read();
  await vi.advanceTimersByTimeAsync(SSE_MS);
  expect((await third)?.done).toBe(true);
  expect((await follow()).status).toBe(200);
});
