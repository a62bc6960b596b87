/** A response can be shared by a URL that reads it and does nothing else. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  idOf,
  locationOf,
  type ProxyBench,
  readToEnd,
  refusal,
  startProxyBench,
  token,
  Upstream,
} from '../support/proxy-bench.js';

let upstream: Upstream;
let bench: ProxyBench;
let end: () => void = () => {};

beforeAll(async () => {
  upstream = await Upstream.start();
  bench = await startProxyBench({ upstream });
});
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
});
beforeEach(() => {
  upstream.reset();
  upstream.respond = (response) => {
    response.write('first ');
    end = () => void response.end('last');
  };
});

const share = (url: string, init: RequestInit = {}) =>
  fetch(`${url}&action=share`, { method: 'POST', ...init });
const expiryOf = (url: string) => Number(new URL(url).searchParams.get('expires'));

async function shared(): Promise<{ full: string; reading: string }> {
  const full = locationOf(await bench.create('/'));
  const response = await share(full);
  expect(response.status).toBe(201);
  return { full, reading: locationOf(response) };
}

test('the holder of the URL of a create shares it for reading, live and to the end', async () => {
  const { full, reading } = await shared();
  expect(reading).toContain('access=read');
  expect(expiryOf(reading)).toBeLessThanOrEqual(expiryOf(full));
  end();
  expect((await readToEnd(reading)).text).toBe('first last');
});

test('it can neither abort, nor be shared again, nor become the full URL', async () => {
  const { reading } = await shared();
  expect(await refusal(await fetch(`${reading}&action=abort`, { method: 'PATCH' }))).toBe(
    '403 READ_ONLY_URL',
  );
  expect(await refusal(await share(reading))).toBe('403 READ_ONLY_URL');
  const bare = reading.replace('&access=read', '');
  expect(await refusal(await fetch(`${bare}&action=abort`, { method: 'PATCH' }))).toBe(
    '401 SIGNATURE_INVALID',
  );
  expect(await refusal(await fetch(`${bare}&access=full&action=abort`, { method: 'PATCH' }))).toBe(
    '401 SIGNATURE_INVALID',
  );
  for (const method of ['DELETE', 'HEAD']) expect((await fetch(reading, { method })).status).toBe(401);
  end();
  // The upstream was not stopped by any of them.
  const { text, last } = await readToEnd(reading);
  expect([text, last.headers.get('upstream-outcome')]).toEqual(['first last', 'completed']);
});

test('the URL of a create still aborts', async () => {
  const { full, reading } = await shared();
  expect((await fetch(`${full}&action=abort`, { method: 'PATCH' })).status).toBe(204);
  const { text, last } = await readToEnd(reading);
  expect([text, last.headers.get('upstream-outcome')]).toEqual(['first ', 'aborted']);
});

test('a token with proxy:read shares what its tenant has, and nothing else', async () => {
  const id = idOf(await bench.create('/'));
  const at = `${bench.url}/v1/proxy/${id}?action=share`;
  const by = async (tenant: string, ...scopes: string[]) =>
    fetch(at, { method: 'POST', headers: { authorization: `Bearer ${await token(tenant, scopes)}` } });
  const response = await by('acme', 'proxy:read');
  expect(response.status).toBe(201);
  end();
  expect((await readToEnd(locationOf(response))).text).toBe('first last');
  expect(await refusal(await by('acme', 'proxy:create'))).toBe('403 FORBIDDEN');
  expect(await refusal(await by('other', 'proxy:read'))).toBe('404 STREAM_NOT_FOUND');
  expect(await refusal(await fetch(at, { method: 'POST' }))).toBe('401 MISSING_SECRET');
});

test('other actions, unknown ids and bad signatures are refused', async () => {
  const full = locationOf(await bench.create('/'));
  expect(await refusal(await fetch(`${full}&action=abort`, { method: 'POST' }))).toBe('400 INVALID_ACTION');
  expect(await refusal(await share(full.replace(/signature=./, 'signature=_')))).toBe(
    '401 SIGNATURE_INVALID',
  );
  const missing = `${bench.url}/v1/proxy/0198f000-0000-7000-8000-000000000000?action=share`;
  expect(await refusal(await bench.ask(missing, { method: 'POST' }))).toBe('404 STREAM_NOT_FOUND');
  end();
});

test("a page may read every header of an upstream's response", async () => {
  const secret = { 'sonde-authorization': bench.bearer };
  const route = { up: { url: upstream.origin, credential: 'caller', private: true } };
  const served = await startProxyBench({ upstream, proxy: { routes: route } });
  upstream.respond = (response) =>
    void response
      .writeHead(429, {
        'x-request-id': 'req_1',
        'x-should-retry': 'false',
        'retry-after-ms': '5',
        'x-ratelimit-remaining-tokens': '1',
        'anthropic-organization-id': 'org',
      })
      .end('{}');
  for (const headers of [
    secret,
    { ...secret, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  ]) {
    const response = await fetch(`${served.url}/r/up/x`, {
      headers: { origin: 'https://app.example', ...headers },
    });
    const exposed = (response.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
    const safelisted = [
      'cache-control',
      'content-language',
      'content-length',
      'content-type',
      'expires',
      'last-modified',
    ];
    for (const name of [
      'x-request-id',
      'x-should-retry',
      'retry-after-ms',
      'x-ratelimit-remaining-tokens',
      'anthropic-organization-id',
      'stream-location',
    ])
      expect(exposed).toContain(name);
    expect(exposed.filter((name) => safelisted.includes(name))).toEqual([]);
    expect(new Set(exposed).size).toBe(exposed.length);
    await response.text();
  }
  await served.stop();
});
