/** POST /v1/proxy: which requests are accepted, what is sent upstream, and what the caller gets. */
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { can } from '../support/engine-capabilities.js';
import {
  idOf,
  locationOf,
  type ProxyBench,
  readToEnd,
  refusal,
  startProxyBench,
  token,
  upstreamHeadersOf,
} from '../support/proxy-bench.js';

let bench: ProxyBench;

beforeAll(async () => {
  bench = await startProxyBench();
});
afterAll(() => bench.stop());
beforeEach(() => bench.upstream.reset());

const post = (headers: Record<string, string>, given?: string) =>
  bench.ask('/v1/proxy', { method: 'POST', headers, ...(given !== undefined && { token: given }) });

describe('POST: request validation', () => {
  test('authentication comes first: a missing credential, a bad one, one without the scope', async () => {
    expect(await refusal(await post({}, ''))).toBe('401 MISSING_SECRET');
    expect(await refusal(await post({}, 'not-a-token'))).toBe('401 INVALID_SECRET');
    expect(await refusal(await post({}, await token('acme', ['proxy:read'])))).toBe('403 FORBIDDEN');
    expect(bench.upstream.asked).toHaveLength(0);
  });

  test('the service JWT can be a Bearer token or ?secret=', async () => {
    const secret = await token('acme', ['proxy:create']);
    const headers = { 'upstream-url': `${bench.upstream.origin}/`, 'upstream-method': 'GET' };
    expect((await post(headers, secret)).status).toBe(201);
    const byQuery = await fetch(`${bench.url}/v1/proxy?secret=${secret}`, { method: 'POST', headers });
    expect(byQuery.status).toBe(201);
    expect(await refusal(await fetch(`${bench.url}/v1/proxy?secret=x`, { method: 'POST', headers }))).toBe(
      '401 INVALID_SECRET',
    );
    expect(JSON.stringify(bench.upstream.asked)).not.toContain(secret);
  });

  test.each([
    [{}, '400 MISSING_UPSTREAM_URL'],
    [{ 'upstream-method': 'GET' }, '400 MISSING_UPSTREAM_URL'],
    [{ 'upstream-url': '', 'upstream-method': 'GET' }, '400 MISSING_UPSTREAM_URL'],
    [{ 'upstream-url': 'http://x' }, '400 MISSING_UPSTREAM_METHOD'],
    [{ 'upstream-url': 'http://x', 'upstream-method': '' }, '400 MISSING_UPSTREAM_METHOD'],
    ...['HEAD', 'OPTIONS', 'CONNECT', 'TRACE', 'get', 'QUERY', 'GET, POST', 'GET\tPOST'].map(
      (method) =>
        [{ 'upstream-url': 'http://x', 'upstream-method': method }, '400 INVALID_UPSTREAM_METHOD'] as const,
    ),
    ...['http://elsewhere.test/', 'ftp://127.0.0.1/', 'nonsense', 'http://', 'http://user@127.0.0.1/'].map(
      (url) => [{ 'upstream-url': url, 'upstream-method': 'GET' }, '403 UPSTREAM_NOT_ALLOWED'] as const,
    ),
    [{ 'orphan-policy': 'kill' }, '400 INVALID_ORPHAN_POLICY'],
    [{ 'idempotency-key': 'with blank' }, '400 INVALID_IDEMPOTENCY_KEY'],
    [{ 'idempotency-key': '' }, '400 INVALID_IDEMPOTENCY_KEY'],
    [{ 'idempotency-key': 'k'.repeat(256) }, '400 INVALID_IDEMPOTENCY_KEY'],
    [{ 'idempotency-key': 'k\u00e9y' }, '400 INVALID_IDEMPOTENCY_KEY'],
  ] as readonly (readonly [Record<string, string>, string])[])('%j: %s', async (headers, expected) => {
    const bare = 'orphan-policy' in headers || 'idempotency-key' in headers;
    const given = bare
      ? { 'upstream-url': `${bench.upstream.origin}/`, 'upstream-method': 'GET', ...headers }
      : headers;
    expect(await refusal(await post(given))).toBe(expected);
    expect(bench.upstream.asked).toHaveLength(0);
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('%s is sent upstream', async (method) => {
    const response = await bench.create('/it?q=1#fragment', { method, body: method === 'GET' ? '' : 'data' });
    expect(response.status).toBe(201);
    expect(bench.upstream.asked[0]).toMatchObject({ method, url: '/it?q=1' });
  });

  test('query and fragment are ignored by the allowlist', async () => {
    const listed = await startProxyBench({
      upstream: bench.upstream,
      proxy: { allow: [`private:${new URL(bench.upstream.origin).host}/v1/*`] },
    });
    try {
      expect((await listed.create('/v1/a?x=/v2#/v2')).status).toBe(201);
      expect(await refusal(await listed.create('/v2?/v1/a'))).toBe('403 UPSTREAM_NOT_ALLOWED');
      expect(await refusal(await listed.create('/v1/..%2fv2'))).toBe('403 UPSTREAM_NOT_ALLOWED');
    } finally {
      await listed.stop();
    }
  });

  test('an allowlisted name at a private address is refused unless its pattern is private; an empty list refuses all', async () => {
    const { host } = new URL(bench.upstream.origin);
    for (const allow of [[host], ['*:*'], []]) {
      const closed = await startProxyBench({ upstream: bench.upstream, proxy: { allow } });
      expect(await refusal(await closed.create())).toBe('403 UPSTREAM_NOT_ALLOWED');
      await closed.stop();
    }
    expect(bench.upstream.asked).toHaveLength(0);
  });

  test('an invalid pattern is refused at start and quoted', async () => {
    await expect(
      startProxyBench({ upstream: bench.upstream, proxy: { allow: ['a*b.test'] } }),
    ).rejects.toMatchObject({
      code: 'CONFIG_INVALID_VALUE',
      message: expect.stringContaining('a*b.test'),
    });
  });
});

describe('POST: the upstream request', () => {
  test('drops hop-by-hop headers and those of the proxy, and forwards all others and the body unchanged', async () => {
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const call = request(`${bench.url}/v1/proxy`, { method: 'POST' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.on('error', reject);
      for (const [name, value] of [
        ['Upstream-URL', `${bench.upstream.origin}/`],
        ['Upstream-Method', 'POST'],
        ['Upstream-Authorization', 'Bearer theirs'],
        ['Connection', 'keep-alive, X-Hop'],
        ['Proxy-Connection', 'X-Other-Hop'],
        ['X-Hop', '1'],
        ['X-Other-Hop', '1'],
        ['Keep-Alive', 'timeout=5'],
        ['Proxy-Authorization', 'Basic eA=='],
        ['Proxy-Authenticate', 'Basic'],
        ['TE', 'trailers'],
        ['Trailer', 'X-T'],
        ['Cookie', 'session=1'],
        ['X-Forwarded-For', '1.2.3.4'],
        ['X-Forwarded-Host', 'evil.test'],
        ['X-Forwarded-Proto', 'https'],
        ['Forwarded', 'for=1.2.3.4'],
        ['Accept-Encoding', 'gzip'],
        ['Content-Type', 'application/json'],
        ['X-Custom', 'kept'],
        ['User-Agent', 'sdk/1'],
        ['Accept', 'text/event-stream'],
        ['Idempotency-Key', 'header-goes-upstream'],
      ] as const)
        call.setHeader(name, value);
      void token().then((secret) => {
        call.setHeader('Authorization', `Bearer ${secret}`);
        call.end('{"as":"it is"}');
      });
    });
    expect(status).toBe(201);
    const [asked] = bench.upstream.asked;
    expect(asked?.body).toBe('{"as":"it is"}');
    const { connection: _hop, 'cf-worker': added, ...headers } = asked?.headers ?? {};
    // The edge platform always adds the name of the Worker that sends the request.
    expect(added === undefined).toBe(can('allHeadersOurs'));
    expect(headers).toEqual({
      host: new URL(bench.upstream.origin).host,
      authorization: 'Bearer theirs',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'content-length': '14',
      'x-custom': 'kept',
      'user-agent': 'sdk/1',
      accept: 'text/event-stream',
      'idempotency-key': 'header-goes-upstream',
    });
  });

  test('without Upstream-Authorization no Authorization is sent', async () => {
    await bench.create();
    expect(bench.upstream.asked[0]?.headers['authorization']).toBeUndefined();
  });

  test('a body without a length is forwarded', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('in '));
        controller.enqueue(new TextEncoder().encode('pieces'));
        controller.close();
      },
    });
    const response = await bench.ask('/v1/proxy', {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'upstream-url': `${bench.upstream.origin}/`, 'upstream-method': 'POST' },
    } as RequestInit);
    expect(response.status).toBe(201);
    expect(bench.upstream.asked[0]?.body).toBe('in pieces');
  });
});

describe('POST: the response', () => {
  test("2xx: 201, no body, a signed absolute Location, and the upstream's status and headers", async () => {
    bench.upstream.respond = (response) =>
      void response
        .writeHead(203, {
          'content-type': 'text/event-stream; charset=utf-8',
          'x-request-id': 'req-1',
          'x-ratelimit-remaining': '9',
          'retry-after': '3',
          'set-cookie': 'a=b',
        })
        .end('data: x\n\n');
    const before = Date.now();
    const reply = await bench.create();
    expect(reply.status).toBe(201);
    expect(await reply.text()).toBe('');
    const location = new URL(locationOf(reply));
    expect(location.origin).toBe(bench.url);
    expect(location.pathname).toMatch(
      /^\/v1\/proxy\/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect([...location.searchParams.keys()]).toEqual(['expires', 'signature']);
    const expires = Number(location.searchParams.get('expires')) * 1000;
    expect(Math.abs(expires - before - 86_400_000)).toBeLessThan(60_000);
    expect(reply.headers.get('upstream-content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reply.headers.get('upstream-status')).toBe('203');
    expect(Object.fromEntries(upstreamHeadersOf(reply))).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-request-id': 'req-1',
      'x-ratelimit-remaining': '9',
      'retry-after': '3',
    });
    expect(upstreamHeadersOf(reply).map(([name]) => name)).not.toContain('set-cookie');
    expect(reply.headers.get('access-control-expose-headers')).toContain('Location');
  });

  test('ids sort by creation time', async () => {
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(idOf(await bench.create()));
    expect(ids).toEqual([...ids].sort());
  });

  test.each([400, 401, 404, 429, 500, 503])('%d: 502 with its status, type and body', async (status) => {
    bench.upstream.respond = (response) =>
      void response
        .writeHead(status, { 'content-type': 'application/problem+json', 'retry-after': '7' })
        .end(`{"why":${status}}`);
    const reply = await bench.create();
    expect(reply.status).toBe(502);
    expect(reply.headers.get('upstream-status')).toBe(String(status));
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(Object.fromEntries(upstreamHeadersOf(reply))['retry-after']).toBe('7');
    expect(await reply.text()).toBe(`{"why":${status}}`);
    expect(reply.headers.get('location')).toBeNull();
  });

  test('an error body is cut at 64 KB, and its upstream is released', async () => {
    bench.upstream.respond = (response) => {
      response.writeHead(500);
      const timer = setInterval(() => response.write('e'.repeat(16_384)), 1);
      response.on('close', () => clearInterval(timer));
    };
    const reply = await bench.create();
    expect([reply.status, (await reply.text()).length]).toEqual([502, 65_536]);
    await bench.upstream.listening.idle();
  });

  test.each([300, 301, 302, 303, 304, 307, 308])(
    '%d: 400, and the redirect is not followed',
    async (status) => {
      bench.upstream.respond = (response) =>
        void response.writeHead(status, { location: '/elsewhere' }).end();
      const reply = await bench.create();
      expect(reply.headers.get('location')).toBeNull();
      expect(await refusal(reply)).toBe('400 REDIRECT_NOT_ALLOWED');
      expect(bench.upstream.asked).toHaveLength(1);
    },
  );

  test('an upstream that is unreachable, hangs up or sends garbage: 502 with a numeric Upstream-Status', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => gone.once('listening', resolve));
    const { port } = gone.address() as { port: number };
    await new Promise((resolve) => gone.close(resolve));
    const lone = await startProxyBench({
      upstream: bench.upstream,
      proxy: { allow: [`private:127.0.0.1:${port}`, `private:${new URL(bench.upstream.origin).host}`] },
    });
    const headers = { 'upstream-url': `http://127.0.0.1:${port}/`, 'upstream-method': 'GET' };
    const unreachable = await lone.ask('/v1/proxy', { method: 'POST', headers });
    expect(unreachable.headers.get('upstream-status')).toBe('502');
    expect(await refusal(unreachable)).toBe('502 UPSTREAM_ERROR');
    bench.upstream.respond = (response) => void response.socket?.destroy();
    const hungUp = await lone.create();
    expect(hungUp.headers.get('upstream-status')).toBe('502');
    expect(await refusal(hungUp)).toBe('502 UPSTREAM_ERROR');
    bench.upstream.respond = (response) => void response.socket?.end('NOT HTTP AT ALL\r\n\r\n');
    expect(await refusal(await lone.create())).toBe('502 UPSTREAM_ERROR');
    await lone.stop();
  });

  test('headers that a response head cannot hold do not break the response', async () => {
    bench.upstream.respond = (response) =>
      void response.socket?.end(
        Buffer.from(
          'HTTP/1.1 200 OK\r\nContent-Type: text/\u{1f600}\r\nX-Request-Id: \u00ff\u2603\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok',
        ),
      );
    const reply = await bench.create();
    expect(reply.status).toBe(201);
    expect((await readToEnd(locationOf(reply))).text).toBe('ok');
  });

  test('an unrequested coding is decoded; offsets count decoded bytes', async () => {
    const text = 'a decoded sentence. '.repeat(1_000);
    bench.upstream.respond = (response) =>
      void response
        .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' })
        .end(gzipSync(text));
    const reply = await bench.create();
    const read = await readToEnd(locationOf(reply));
    expect(read.text).toBe(text);
    expect(read.last.headers.get('upstream-outcome')).toBe('completed');
    const head = await bench.ask(`/v1/proxy/${idOf(reply)}`, { method: 'HEAD' });
    expect(head.headers.get('stream-total-size')).toBe(String(text.length));
    expect(upstreamHeadersOf(head).map(([name]) => name)).not.toContain('content-encoding');
  });
});
