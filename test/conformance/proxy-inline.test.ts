/** Inline routes: the response streams to the caller while it is recorded; credentials and paths stay within it. */
import { get, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { can } from '../support/engine-capabilities.js';
import {
  locationOf,
  type ProxyBench,
  readToEnd,
  refusal,
  startProxyBench,
  token,
  Upstream,
} from '../support/proxy-bench.js';

const BROKEN_OFF = can('breaksLiveAnswers')
  ? 'that ends by %s breaks the connection, never cleanly'
  : 'that ends by %s is recorded as such';
const KEY = 'sk-the-upstreams-own-key';
let upstream: Upstream;
let bench: ProxyBench;
let secret: string;

function routes(): Record<string, { url: string; credential?: string; private: boolean }> {
  return {
    keyed: { url: upstream.origin, credential: 'env:UP_KEY', private: true },
    theirs: { url: `${upstream.origin}/base`, credential: 'caller', private: true },
  };
}
const env = (name: string) => (name === 'UP_KEY' ? KEY : undefined);

beforeAll(async () => {
  upstream = await Upstream.start();
  bench = await startProxyBench({ upstream, proxy: { routes: routes(), env } });
  secret = await token('acme', ['proxy:create', 'proxy:read'], { routes: ['keyed'] });
});
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
});
beforeEach(() => upstream.reset());

const inline = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  fetch(`${bench.url}/r/${path}`, { redirect: 'manual', ...init });

describe('a response', () => {
  test.each([200, 201, 400, 401, 404, 429, 500, 529])(
    '%d is passed on unchanged, recorded, with Stream-Location',
    async (status) => {
      upstream.respond = (response) =>
        void response
          .writeHead(status, {
            'content-type': 'application/json',
            'x-request-id': 'up-1',
            'retry-after': '2',
            'set-cookie': 'a=b',
          })
          .end(`{"status":${status}}`);
      const reply = await inline('keyed/v1/chat/completions?x=1', {
        method: 'POST',
        body: '{"stream":true}',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      });
      expect(reply.status).toBe(status);
      expect(await reply.text()).toBe(`{"status":${status}}`);
      expect(reply.headers.get('content-type')).toBe('application/json');
      expect(reply.headers.get('x-request-id')).toBe('up-1');
      expect(reply.headers.get('retry-after')).toBe('2');
      expect(reply.headers.get('set-cookie')).toBeNull();
      expect(upstream.asked[0]).toMatchObject({
        method: 'POST',
        url: '/v1/chat/completions?x=1',
        body: '{"stream":true}',
      });
      const read = await readToEnd(locationOf(reply));
      expect(read.text).toBe(`{"status":${status}}`);
      expect(read.last.headers.get('upstream-status')).toBe(String(status));
    },
  );

  test('an upstream page cannot run anything in a browser', async () => {
    upstream.respond = (response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': 'default-src *' })
        .end('<meta http-equiv="refresh" content="0;url=http://evil.test/">');
    const reply = await inline('keyed/x', { headers: { authorization: `Bearer ${secret}` } });
    expect(reply.headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    );
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    await reply.text();
  });

  test.each([204, 205, 304])('%d has no body', async (status) => {
    upstream.respond = (response) => void response.writeHead(status).end();
    const reply = await inline('keyed/x', { headers: { authorization: `Bearer ${secret}` } });
    expect([reply.status, await reply.text()]).toEqual([status, '']);
    expect(locationOf(reply)).toContain('/v1/proxy/');
  });

  test.each([301, 302, 307, 308])('%d is refused with 400', async (status) => {
    upstream.respond = (response) =>
      void response.writeHead(status, { location: 'http://elsewhere.test/' }).end();
    const reply = await inline('keyed/x', { headers: { authorization: `Bearer ${secret}` } });
    expect(reply.headers.get('location')).toBeNull();
    expect(await refusal(reply)).toBe('400 REDIRECT_NOT_ALLOWED');
  });

  test('is live: the client sees each part before the upstream sends the next', async () => {
    let more: (text: string) => void = () => {};
    let end: () => void = () => {};
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      more = (text) => void response.write(text);
      end = () => void response.end();
      more('one');
    };
    const reply = await inline('keyed/x', { headers: { authorization: `Bearer ${secret}` } });
    const reader = reply.body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(await next()).toBe('one');
    more('two');
    expect(await next()).toBe('two');
    end();
    expect((await reader?.read())?.done).toBe(true);
  });

  test.each([
    ['a reset', () => Promise.resolve()],
    [
      'an abort',
      async (location: string) => void (await fetch(`${location}&action=abort`, { method: 'PATCH' })),
    ],
  ] as const)(BROKEN_OFF, async (name, act) => {
    upstream.respond = (response) => {
      response.write('half', () => {
        if (name === 'a reset') setTimeout(() => response.socket?.resetAndDestroy(), 30);
      });
    };
    let location = '';
    const outcome = await new Promise<string>((resolve) => {
      const call = get(
        `${bench.url}/r/keyed/x`,
        { headers: { authorization: `Bearer ${secret}` } },
        (response) => {
          let text = '';
          location = String(response.headers['stream-location']);
          response.on('data', (piece) => {
            text += piece;
            void act(location);
          });
          response.on('end', () => resolve(`ended ${text}`));
          response.on('error', () => resolve(`broken ${text}`));
        },
      );
      call.on('error', () => resolve('broken early'));
    });
    expect(outcome).toBe(can('breaksLiveAnswers') ? 'broken half' : 'ended half');
    const { text, last } = await readToEnd(location);
    const recorded = name === 'a reset' ? 'failed' : 'aborted';
    expect([text, last.headers.get('upstream-outcome')]).toEqual(['half', recorded]);
  });

  test('is still recorded after its reader has left', async () => {
    let end: () => void = () => {};
    upstream.respond = (response) => {
      response.write('first');
      end = () => void response.end(' and last');
    };
    const location = await new Promise<string>((resolve) => {
      const call = get(
        `${bench.url}/r/keyed/x`,
        { headers: { authorization: `Bearer ${secret}` } },
        (response) => {
          response.once('data', () => {
            call.destroy();
            resolve(String(response.headers['stream-location']));
          });
        },
      );
    });
    end();
    const read = await readToEnd(location);
    expect([read.text, read.last.headers.get('upstream-outcome')]).toEqual(['first and last', 'completed']);
  });

  test('under a key is requested once: the repeat has the same status, headers and bytes', async () => {
    upstream.respond = (response) => void response.writeHead(403, { 'retry-after': '5' }).end('not you');
    const ask = () =>
      inline('keyed/x', {
        method: 'POST',
        body: 'b',
        headers: { authorization: `Bearer ${secret}`, 'idempotency-key': 'inline-1' },
      });
    const [first, second] = [await ask(), await ask()];
    expect([second.status, await second.text(), second.headers.get('retry-after')]).toEqual([
      403,
      await first.text(),
      '5',
    ]);
    expect(upstream.asked).toHaveLength(1);
  });
});

describe('credentials', () => {
  test.each([
    [{ authorization: 'Bearer ' }, { authorization: `Bearer ${KEY}` }],
    [{ 'x-api-key': '' }, { 'x-api-key': KEY }],
  ])(
    "env: the caller's %j is the Sonde token, and the upstream gets its own key",
    async (shown, expected) => {
      const headers = Object.fromEntries(
        Object.entries(shown).map(([name, value]) => [name, `${value}${secret}`]),
      );
      const response = await inline('keyed/x', { headers });
      expect(response.status).toBe(200);
      expect(upstream.asked[0]?.headers).toMatchObject(expected);
      expect(JSON.stringify(upstream.asked)).not.toContain(secret);
    },
  );

  test.each([
    {},
    { authorization: 'Bearer nonsense' },
    { 'x-api-key': 'nonsense' },
    { 'sonde-authorization': 'SECRET' },
  ])('env: %j is not accepted', async (headers) => {
    const given = JSON.parse(JSON.stringify(headers).replace('SECRET', `Bearer ${secret}`));
    expect((await inline('keyed/x', { headers: given })).status).toBe(401);
    expect(upstream.asked).toHaveLength(0);
  });

  test("caller: the caller's credential goes upstream, the Sonde token has its own header", async () => {
    const headers = { authorization: 'Bearer sk-mine', 'sonde-authorization': `Bearer ${secret}` };
    expect((await inline('theirs/v1', { headers })).status).toBe(200);
    expect(upstream.asked[0]).toMatchObject({
      url: '/base/v1',
      headers: { authorization: 'Bearer sk-mine' },
    });
    expect(upstream.asked[0]?.headers['sonde-authorization']).toBeUndefined();
    const apiKey = { 'x-api-key': 'mine', 'sonde-authorization': `Bearer ${secret}` };
    expect((await inline('theirs/v1', { headers: apiKey })).status).toBe(200);
    expect(upstream.asked[1]?.headers['x-api-key']).toBe('mine');
    expect((await inline('theirs/v1', { headers: { authorization: `Bearer ${secret}` } })).status).toBe(401);
  });

  test('without authentication no Sonde token is needed', async () => {
    const open = await startProxyBench({
      upstream,
      auth: 'none',
      jwt: {},
      proxy: { routes: { plain: { url: upstream.origin, private: true } } },
    });
    const response = await fetch(`${open.url}/r/plain/x`, { headers: { authorization: 'Bearer sk-mine' } });
    expect(response.status).toBe(200);
    expect(upstream.asked[0]?.headers.authorization).toBe('Bearer sk-mine');
    await open.stop();
  });

  test('a route without a credential is refused at start if callers authenticate', async () => {
    const plain = { plain: { url: upstream.origin } };
    await expect(startProxyBench({ upstream, proxy: { routes: plain } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID_VALUE',
      message: expect.stringContaining('plain'),
    });
  });
});

describe('paths', () => {
  test('an unknown route is 404 with a code', async () => {
    expect(await refusal(await inline('nowhere/x', { headers: { authorization: `Bearer ${secret}` } }))).toBe(
      '404 NOT_FOUND',
    );
  });

  test.each(['/..%2fx', '/%252e%252e%252fadmin', '/..;/x', '/%2e%2e%5cx'])(
    '%s does not leave the route',
    async (path) => {
      const status = await new Promise((resolve) => {
        const headers = { 'sonde-authorization': `Bearer ${secret}` };
        request(`${bench.url}/r/theirs${path}`, { headers }, (response) =>
          resolve(response.resume().statusCode),
        ).end();
      });
      expect(status).toBe(403);
      expect(upstream.asked).toHaveLength(0);
    },
  );

  test.each(['/../keyed/x', '/./../keyed/x'])(
    'raw dot segments, %s, are resolved before a route is chosen',
    async (path) => {
      const { hostname, port } = new URL(bench.url);
      const status = await new Promise((resolve) => {
        const headers = { authorization: `Bearer ${secret}` };
        request({ hostname, port, path: `/r/theirs${path}`, headers }, (response) =>
          resolve(response.resume().statusCode),
        ).end();
      });
      expect(status).toBe(200);
      expect(upstream.asked[0]).toMatchObject({ url: '/x', headers: { authorization: `Bearer ${KEY}` } });
    },
  );

  test('HEAD is sent upstream, OPTIONS is not', async () => {
    const head = await inline('keyed/x', { method: 'HEAD', headers: { authorization: `Bearer ${secret}` } });
    expect([head.status, bench.upstream.asked.map(({ method }) => method)]).toEqual([200, ['HEAD']]);
    const preflight = await inline('keyed/x', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-headers': 'x-stainless-lang, authorization',
      },
    });
    expect(preflight.status).toBe(204);
    // An SDK's own headers are allowed in addition to those of the protocol.
    expect(preflight.headers.get('access-control-allow-headers')).toContain(', x-stainless-lang');
    expect(upstream.asked).toHaveLength(1);
  });
});
