/** durableFetch as a fetch: its responses and its errors. */
import { describe, expect, test } from 'vitest';
import type { DurableFetch, Timing } from '../../packages/client/src/index.js';
import { codeOf, type Handler, TOKEN, useDurable } from '../support/durable-harness.js';
import { memoryStorage } from '../support/memory-storage.js';

const on = useDurable({ headersMs: 700, idleMs: 700 });

/** Does not wait, and records how long it would have waited. */
function quickTiming(): Timing & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    after(ms, act) {
      // Long timers watch for silence; only the waits between retries are cut short.
      const timer = setTimeout(act, ms > 20_000 ? ms : 0);
      if (ms <= 20_000) waits.push(ms);
      return () => clearTimeout(timer);
    },
    now: Date.now,
    random: () => 1,
  };
}

describe('the response', () => {
  test('has the status, headers, URL and body of the upstream', async () => {
    on.handle = (_request, response) =>
      void response
        .writeHead(203, { 'content-type': 'text/plain', 'x-request-id': 'r1', 'x-ratelimit-left': '4' })
        .end('hello');
    const response = await on.open()(`${on.upstream.origin}/a?b=c#d`);
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.url, await response.text()]).toEqual([
      203,
      `${on.upstream.origin}/a?b=c`,
      'hello',
    ]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'x-request-id': 'r1',
      'x-ratelimit-left': '4',
      'stream-location': expect.stringContaining(`${on.chaos.origin}/v1/proxy/`),
      'stream-position': '0',
    });
    expect(on.calls.map(({ method, url }) => [method, url])).toEqual([['GET', '/a?b=c']]);
  });

  test.each([
    [
      'a URL',
      () => [new URL(`${on.upstream.origin}/x`), { method: 'PUT', body: 'b', headers: { 'x-a': '1' } }],
    ],
    [
      'a Request',
      () => [new Request(`${on.upstream.origin}/x`, { method: 'PUT', body: 'b', headers: { 'x-a': '1' } })],
    ],
    [
      'a Request and what replaces parts of it',
      () => [
        new Request(`${on.upstream.origin}/x`, { method: 'POST', body: 'old' }),
        { method: 'PUT', body: 'b', headers: { 'x-a': '1' } },
      ],
    ],
  ] as [string, () => Parameters<DurableFetch>][])('accepts %s', async (_what, args) => {
    await (await on.open()(...args())).text();
    expect(on.calls.map(({ method, url, body, headers }) => [method, url, body, headers['x-a']])).toEqual([
      ['PUT', '/x', 'b', '1'],
    ]);
  });

  test("the caller's credential goes upstream, the token only to the server, and never in a URL", async () => {
    const seen: { url: string; authorization: string | null }[] = [];
    const response = await on.open({
      token: async () => TOKEN,
      fetch: (url, init) => {
        seen.push({ url, authorization: new Headers(init.headers).get('authorization') });
        return fetch(url, init);
      },
    })(on.upstream.origin, { headers: { authorization: 'Bearer upstream' } });
    await response.text();
    expect(on.calls[0]?.headers.authorization).toBe('Bearer upstream');
    expect(seen.map(({ authorization }) => authorization)).toEqual([`Bearer ${TOKEN}`, null]);
    expect(seen.some(({ url }) => url.includes(TOKEN))).toBe(false);
  });

  test.each([204, 205])('%i has no body and leaves nothing in the storage', async (status) => {
    on.handle = (_request, response) => void response.writeHead(status).end();
    const storage = memoryStorage();
    const response = await on.open({ storage, requestId: 'a' })(on.upstream.origin);
    expect([response.status, response.body, storage.kept.size]).toEqual([status, null, 0]);
  });

  test('an empty body ends', async () => {
    on.handle = (_request, response) => void response.end();
    expect(await (await on.open()(on.upstream.origin)).text()).toBe('');
  });

  test.each([404, 418, 500, 503])("%i is the upstream's own, with its headers and body", async (status) => {
    on.handle = (_request, response) =>
      void response.writeHead(status, { 'retry-after': '3', 'content-type': 'a/b' }).end('why not');
    const response = await on.open()(on.upstream.origin);
    expect([
      response.status,
      response.headers.get('retry-after'),
      response.headers.get('content-type'),
    ]).toEqual([status, '3', 'a/b']);
    expect([await response.text(), on.calls.length]).toEqual(['why not', 1]);
  });
});

/** Returns status, code and `x-should-retry` of a refusal. */
async function refusalOf(work: Promise<Response>): Promise<unknown[]> {
  const response = await work;
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  expect(error.message).not.toBe('');
  return [response.status, error.code, response.headers.get('x-should-retry')];
}

describe('errors', () => {
  const broken: [string, Handler, string][] = [
    [
      'truncated',
      (_q, r) => void r.writeHead(200, { 'content-length': '99' }).write('half', () => r.socket?.end()),
      'UPSTREAM_TRUNCATED',
    ],
    ['silent', (_q, r) => void r.writeHead(200).write('half'), 'UPSTREAM_BODY_TIMEOUT'],
  ];
  test.each(broken)('a body that is %s fails after its bytes', async (_what, handler, code) => {
    on.handle = handler;
    const response = await on.open()(on.upstream.origin);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('half');
    expect(await codeOf(reader?.read())).toBe(code);
  });

  test('an upstream stopped by another client fails the body too', async () => {
    on.handle = (_request, response) => void response.writeHead(200).write('half');
    const response = await on.open()(on.upstream.origin);
    const reader = response.body?.getReader();
    await reader?.read();
    await fetch(`${response.headers.get('stream-location')}&action=abort`, { method: 'PATCH' });
    expect(await codeOf(reader?.read())).toBe('UPSTREAM_ABORTED');
  });

  test('an upstream fault before the head has a status that SDKs retry, as after a direct call', async () => {
    on.handle = (_request, response) => void response.socket?.destroy();
    expect(await refusalOf(on.open()(on.upstream.origin))).toEqual([502, 'UPSTREAM_ERROR', null]);
    on.handle = () => {};
    expect(await refusalOf(on.open()(on.upstream.origin))).toEqual([504, 'UPSTREAM_TIMEOUT', null]);
    expect(on.calls.length).toBe(2);
  });

  test('a refusal is an immediate response with a code, and no SDK retries it', async () => {
    on.handle = (_request, response) => void response.writeHead(302, { location: '/b' }).end();
    const timing = quickTiming();
    const open = (options = {}) => on.open({ timing, ...options });
    expect(await refusalOf(open()(on.upstream.origin))).toEqual([400, 'REDIRECT_NOT_ALLOWED', 'false']);
    expect(await refusalOf(open()('http://127.0.0.1:10/'))).toEqual([403, 'UPSTREAM_NOT_ALLOWED', 'false']);
    const options = { method: 'OPTIONS' };
    expect(await refusalOf(open()(on.upstream.origin, options))).toEqual([
      400,
      'INVALID_UPSTREAM_METHOD',
      'false',
    ]);
    expect(await refusalOf(open({ token: 'wrong' })(on.upstream.origin))).toEqual([
      401,
      'INVALID_SECRET',
      'false',
    ]);
    expect([on.calls.length, timing.waits]).toEqual([1, []]);
  });

  test.each([
    [409, 'CREATE_INDETERMINATE', 424],
    [502, 'STORAGE_ERROR', 424],
    [422, 'IDEMPOTENCY_KEY_REUSED', 422],
    [413, 'BODY_TOO_LARGE', 413],
  ])('a permanent refusal with %i %s has the status %i', async (status, code, seen) => {
    const body = JSON.stringify({ error: { code, message: 'why' } });
    const fetch = async () => new Response(body, { status });
    const response = await on.open({ fetch })(on.upstream.origin);
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([seen, 'false']);
    expect(await response.json()).toEqual({ error: { code, message: 'why' } });
  });

  test('an unresponsive server gets bounded retries, at most 2 s apart, and is named in the response', async () => {
    const timing = quickTiming();
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const storage = memoryStorage();
    const options = { timing, fetch, retries: 6, storage, requestId: 'a' };
    const response = await on.open(options)(on.upstream.origin);
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([424, 'false']);
    expect(await response.text()).toContain(`no response from ${on.chaos.origin}/v1/proxy after 6 retries`);
    expect(timing.waits).toEqual([0, 500, 1000, 2000, 2000, 2000]);
    // The next call repeats the request under the same key.
    expect(storage.kept.size).toBe(1);
  });

  test('if the server only ever sends heads, the body fails after its retries, with one upstream call', async () => {
    const timing = quickTiming();
    const response = await on.open({ timing, retries: 5 })(on.upstream.origin);
    on.chaos.rules.bodyBytes = 0;
    for (const socket of on.chaos.sockets) socket.destroy();
    expect(await codeOf(response.text())).toBe('RETRIES_EXHAUSTED');
    expect(on.calls.length).toBe(1);
  });
});
