import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedForTest, serveForTest } from '../support/serve.js';

/** Bounds of a request to streams, by the short way and by the app's, which must answer alike. */
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
  const answer = await fetch(`${server.url}/v1/stream/${path}`, init);
  const text = await answer.text();
  return { status: answer.status, ...(answer.status >= 400 && { code: JSON.parse(text).error.code }) };
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

  test('a body has at most its bytes, and one of exactly as many is taken', async () => {
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
