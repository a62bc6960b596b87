import { expect, test } from 'vitest';
import { SondeError } from '../errors.js';
import type { HopBody, OutboundRequest } from '../net/index.js';
import { createHelloHandler, HELLO_LIMITS } from './hello-job.js';
import type { JobRun } from './job-handler.js';

const NOW = Date.UTC(2026, 0, 1);
const URL_ = 'https://example.com/';
const VALID = { url: URL_ };

interface Target {
  readonly status?: number;
  readonly retryAfter?: string;
  readonly bytes?: number;
}

async function hello(target: Target | SondeError, payload: unknown) {
  const requests: OutboundRequest[] = [];
  const events: unknown[] = [];
  const { signal } = new AbortController();
  const handler = createHelloHandler({
    clock: () => NOW,
    async fetch(request) {
      requests.push(request);
      const outcome = { finalUrl: request.url, redirects: [], durationMs: 1 };
      if (target instanceof SondeError) return { ok: false, error: target, ...outcome };
      const { status = 200, retryAfter, bytes = 5 } = target;
      const pieces = [new Uint8Array(bytes)];
      const body: HopBody = { read: async () => pieces.shift(), cancel: () => undefined };
      const headers = retryAfter === undefined ? [] : [['retry-after', retryAfter] as const];
      return {
        ok: true,
        response: { status, headers, body, connection: {}, timings: () => ({}) },
        ...outcome,
      };
    },
  });
  const during: JobRun['during'] = (wait) => wait();
  const progress = (event: unknown) => void events.push(event);
  const run = { signal, during, progress } as unknown as JobRun;
  const result = await handler(payload, run).catch((thrown: unknown) => thrown);
  return { result, requests, events, signal };
}

test('fetches a URL within its limits and reports the response', async () => {
  const { result, requests, events, signal } = await hello({}, VALID);
  expect(result).toEqual({ status: 200, bytes: 5, truncated: false, durationMs: expect.any(Number) });
  expect(requests).toEqual([
    {
      url: URL_,
      limits: { totalMs: 30_000, bodyBytes: 14_000_000 },
      maxRedirects: 5,
      signal,
    },
  ]);
  expect(events).toEqual([{ percent: 10, message: 'fetching' }]);
});

test('truncates a body over the limit without failing', async () => {
  const { result } = await hello({ bytes: HELLO_LIMITS.bodyBytes + 1 }, VALID);
  expect(result).toMatchObject({ bytes: HELLO_LIMITS.bodyBytes, truncated: true });
});

test.each([
  [399, undefined],
  [400, true],
  [404, true],
  [408, false],
  [425, false],
  [429, false],
  [499, true],
  [500, false],
  [503, false],
])('status %i fails with permanent: %s', async (status, permanent) => {
  const { result } = await hello({ status }, VALID);
  if (permanent === undefined) expect(result).toMatchObject({ status });
  else expect(result).toMatchObject({ permanent, message: `the target responded with ${status}` });
});

test.each([
  ['7', 7_000],
  ['0', 0],
  [new Date(NOW + 9_000).toUTCString(), 9_000],
  [new Date(NOW - 9_000).toUTCString(), 0],
  ['999999999', 3_600_000],
  ['soon', undefined],
  ['9999999999', undefined],
  [undefined, undefined],
])('Retry-After %s delays the retry by %s ms', async (retryAfter, retryAfterMs) => {
  const { result } = await hello({ status: 503, ...(retryAfter !== undefined && { retryAfter }) }, VALID);
  expect(result).toMatchObject({ retryAfterMs });
  const permanent = await hello({ status: 404, ...(retryAfter !== undefined && { retryAfter }) }, VALID);
  expect(permanent.result).toMatchObject({ retryAfterMs: undefined });
});

test('reports how long the request took', async () => {
  const startedAt = performance.now();
  const { result } = await hello({}, VALID);
  const { durationMs } = result as { durationMs: number };
  expect(durationMs).toBeGreaterThanOrEqual(0);
  expect(durationMs).toBeLessThanOrEqual(Math.ceil(performance.now() - startedAt));
});

test.each(['x', 'x'.repeat(8192)])('leaves the check of a URL to the egress layer', async (url) => {
  expect((await hello({}, { url })).requests).toMatchObject([{ url }]);
});

test('rethrows a network failure unchanged', async () => {
  const error = new SondeError('timeout', 'no response');
  expect((await hello(error, VALID)).result).toBe(error);
});

test.each([undefined, {}, { url: '' }, { url: 'x'.repeat(8193) }, { url: URL_, more: 1 }])(
  'payload %j fails permanently and sends nothing',
  async (payload) => {
    const { result, requests } = await hello({}, payload);
    expect([result, requests]).toMatchObject([{ permanent: true }, []]);
  },
);
