import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedForTest, serveForTest } from '../support/serve.js';

/** Limits of requests to streams, through the direct listener and through the app, which must respond alike. */
const BODY_BYTES_MAX = 10_000;
let server: ServedForTest;
beforeAll(async () => {
  server = await serveForTest({ bodyBytesMax: BODY_BYTES_MAX });
});
afterAll(() => server.stop());

const WAYS = {
  direct: {},
  app: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
};

async function ask(path: string, init: RequestInit): Promise<{ status: number; code?: string }> {
  const response = await fetch(`${server.url}/v1/stream/${path}`, init);
  const text = await response.text();
  return { status: response.status, ...(response.status >= 400 && { code: JSON.parse(text).error.code }) };
}

describe.each(Object.entries(WAYS))('by the %s way', (way, headers) => {
  test('a path has at most 1,024 characters', async () => {
    const longest = `${way}/${'p'.repeat(1024 - way.length - 1)}`;
    for (const method of ['PUT', 'GET', 'DELETE']) {
      expect((await ask(longest, { method, headers })).status).toBeLessThan(300);
      expect(await ask(`${longest}p`, { method, headers })).toEqual({ status: 400, code: 'INVALID_REQUEST' });
    }
    const fork = { ...headers, 'stream-forked-from': `/v1/stream/${longest}p` };
    expect(await ask(`${way}-fork`, { method: 'PUT', headers: fork })).toEqual({
      status: 400,
      code: 'INVALID_REQUEST',
    });
  });

  test('a body over the limit is refused, and one of exactly the limit is accepted', async () => {
    const typed = { ...headers, 'content-type': 'text/plain' };
    expect((await ask(`${way}-body`, { method: 'PUT', headers: typed })).status).toBe(201);
    const append = (bytes: number) =>
      ask(`${way}-body`, { method: 'POST', headers: typed, body: 'x'.repeat(bytes) });
    expect((await append(BODY_BYTES_MAX)).status).toBe(204);
    expect(await append(BODY_BYTES_MAX + 1)).toEqual({ status: 413, code: 'BODY_TOO_LARGE' });
    const put = { method: 'PUT', headers: typed, body: 'x'.repeat(BODY_BYTES_MAX + 1) };
    expect(await ask(`${way}-big`, put)).toEqual({ status: 413, code: 'BODY_TOO_LARGE' });
  });
});

/** Returns a response without what changes each time: the hash, the date, the request id. */
async function masked(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(`${server.url}/v1/stream/${path}`, init);
  const headers = [...response.headers].filter(
    ([name]) => !['date', 'x-request-id', 'keep-alive'].includes(name),
  );
  const text = JSON.stringify([response.status, headers.sort(), await response.text()]);
  return JSON.parse(
    text.replaceAll(/\b[0-9a-z]{5}(?=:\d{8}:\d{10}|-\d+\.\d+-)/g, 'hash_').replaceAll(path, 'path'),
  );
}

test('both entry points respond alike, header by header', async () => {
  const typed = { 'content-type': 'application/json' };
  const steps: [string, RequestInit][] = [
    ['', { method: 'PUT', headers: { ...typed, 'stream-ttl': '1000' } }],
    ['', { method: 'PUT', headers: { ...typed, 'stream-ttl': '1001' } }],
    ['', { method: 'POST', headers: typed, body: '[1,{"a":2}]' }],
    ['', { method: 'POST', headers: typed, body: 'junk' }],
    ['', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'junk' }],
    ['', { method: 'HEAD' }],
    ['', {}],
    ['?offset=-1', { headers: { origin: 'http://127.0.0.1:1' } }],
    ['?offset=now&live=long-poll', {}],
    ['?offset=junk', {}],
    ['?offset=now&live=junk', {}],
    ['', { method: 'DELETE' }],
    ['', {}],
  ];
  const seen: Record<string, unknown[]> = {};
  for (const [way, headers] of Object.entries(WAYS)) {
    seen[way] = [];
    for (const [query, init] of steps) {
      const path = `alike-${way}`;
      const more = { ...(init.headers as Record<string, string>), ...headers };
      const response = (await masked(`${path}${query}`, { ...init, headers: more })) as [
        number,
        string[][],
        string,
      ];
      const [status, all, text] = response;
      // For responses without content, the direct listener omits the headers that protect pages.
      const kept = status === 204 ? all.filter(([name]) => name?.startsWith('stream-')) : all;
      const timeless = kept.filter(([name]) => name !== 'stream-expires-at' && name !== 'stream-cursor');
      seen[way].push([
        status,
        timeless.map(([name, value]) => [name, value?.replaceAll(path, 'path')]),
        text,
      ]);
    }
  }
  expect(seen['direct']).toEqual(seen['app']);
  const whole = (seen['direct'] as [number, string[][], string][])[6];
  expect(whole?.[1]).toContainEqual(['content-length', '11']);
  expect(whole?.[2]).toBe('[1,{"a":2}]');
});
