/** What the proxy does not do is refused with a code, before anything is sent, and the message says what to do. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ProxyBench, refusal, startProxyBench, token, Upstream } from '../support/proxy-bench.js';

let upstream: Upstream;
let bench: ProxyBench;

beforeAll(async () => {
  upstream = await Upstream.start();
  const up = { url: upstream.origin, credential: 'env:UP_KEY' };
  const routes = {
    up: { ...up, private: true },
    closed: { ...up, tenants: ['acme'] },
    theirs: { ...up, credential: 'caller' },
  };
  bench = await startProxyBench({
    upstream,
    proxy: { allow: [`private:${new URL(upstream.origin).host}`, 'localhost:*'], routes, env: () => 'sk-up' },
  });
});
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
});
beforeEach(() => upstream.reset());

async function messageOf(response: Response): Promise<string> {
  expect(upstream.asked).toEqual([]);
  return (await response.json()).error.message;
}

const WAYS = [
  ['create', (headers: Record<string, string>) => bench.create('/', { headers })],
  ['route', (headers: Record<string, string>) => bench.ask('/r/up/x', { headers })],
] as const;

describe.each(WAYS)('headers of a %s that would be ignored', (_way, send) => {
  test.each([
    { 'stream-ttl': '60' },
    { 'stream-expires-at': '2030-01-01T00:00:00Z' },
    { store: 'none' },
    { 'cache-control': 'no-store' },
    { 'cache-control': 'max-age=0, No-Store' },
  ])('%j is refused, and its key not spent', async (headers) => {
    const keyed = { 'idempotency-key': `ignored-${_way}-${JSON.stringify(headers).replace(/\W/g, '')}` };
    const response = await send({ ...keyed, ...(headers as Record<string, string>) });
    expect(response.status).toBe(400);
    const { error } = await response.json();
    expect(error).toMatchObject({
      code: 'HEADER_NOT_SUPPORTED',
      header: expect.stringMatching(/^(Stream-|Store|Cache-)/),
    });
    expect(error.message).toMatch(/proxy\.keepMs.*Remove the header\.$/);
    expect(upstream.asked).toEqual([]);
    expect((await send(keyed)).ok).toBe(true);
  });

  test.each([
    { 'cache-control': 'no-cache' },
    { 'cache-control': 'x-no-storey' },
    { 'if-none-match': '"a"' },
  ])('%j is forwarded', async (headers) => {
    expect((await send(headers as Record<string, string>)).ok).toBe(true);
    expect(upstream.asked[0]?.headers).toMatchObject(headers);
  });
});

test.each(['upstream-url', 'upstream-method', 'upstream-authorization'])(
  'a route refuses %s',
  async (name) => {
    expect(await refusal(await bench.ask('/r/up/x', { headers: { [name]: 'GET' } }))).toBe(
      '400 HEADER_NOT_SUPPORTED',
    );
    expect(upstream.asked).toEqual([]);
  },
);

describe('messages', () => {
  test.each([
    ['https://api.example.com/v1/chat/completions', "--proxy-allow 'https://api.example.com/v1/*'"],
    ['https://api.example.com', "--proxy-allow 'https://api.example.com/*'"],
    ["https://api.example.com/'$(id)'/x", "--proxy-allow 'https://api.example.com/*'"],
    ['http://u:p@api.example.com/', 'without credentials'],
    ['ftp://api.example.com/', 'http or https URL'],
  ])('for an unlisted URL, %s, name %s', async (url, expected) => {
    const message = await messageOf(await bench.create('/', { headers: { 'upstream-url': url } }));
    expect(message).toContain(expected);
  });

  test('for a private address that is listed, name the pattern that opens it', async () => {
    const { port } = new URL(upstream.origin);
    const url = `http://localhost:${port}/x`;
    const message = await messageOf(await bench.create('/', { headers: { 'upstream-url': url } }));
    expect(message).toContain(`--proxy-allow 'private:http://localhost:${port}'`);
  });

  test('for a private address of a route, name the setting that opens it', async () => {
    const message = await messageOf(await bench.ask('/r/closed/x'));
    expect(message).toContain('add "private": true to proxy.routes.closed');
  });

  test('for a Sonde token in the place of the upstream credential, name its header', async () => {
    const response = await bench.ask('/r/theirs/x', { token: await token('acme', ['proxy:create']) });
    expect([response.status, await messageOf(response)]).toEqual([
      401,
      expect.stringContaining(
        'as "Sonde-Authorization: Bearer …"; the route "theirs" forwards Authorization',
      ),
    ]);
  });

  test('for a missing scope, print the command', async () => {
    const response = await bench.create('/', { token: await token('acme', ['proxy:read']) });
    expect([response.status, await messageOf(response)]).toEqual([
      403,
      expect.stringContaining('sonde token --scope proxy:create'),
    ]);
  });
});
