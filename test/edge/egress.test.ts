import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startBehaviourServer, TEXT } from '../support/behaviour-server.js';
import { startEdgeFixture } from '../support/edge-fixture.js';
import { type Listening, listenHttp } from '../support/listen.js';

/** The records of the stub resolver. */
const ZONE: Readonly<Record<string, readonly string[]>> = {
  'public.example.com': ['93.184.216.34'],
  'inside.example.com': ['10.1.2.3'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  'mapped.example.com': ['::ffff:169.254.169.254'],
  'junk.example.com': ['not an address'],
  'kept.example.com': ['93.184.216.34', '127.0.0.1'],
};

let workerd: Miniflare;
let upstream: Listening;
let resolver: Listening;
const lookups: string[] = [];

beforeAll(async () => {
  upstream = await startBehaviourServer();
  resolver = await listenHttp((request, response) => {
    const query = new URL(request.url ?? '', 'http://resolver').searchParams;
    const type = Number(query.get('type'));
    lookups.push(`${query.get('name')} ${type}`);
    const known = ZONE[query.get('name') ?? ''] ?? [];
    const fitting = known.filter((address) => address.includes(':') === (type === 28));
    response.setHeader('content-type', 'application/dns-json');
    const ttl = query.get('name')?.startsWith('kept') ? { TTL: 300 } : {};
    response.end(JSON.stringify({ Status: 0, Answer: fitting.map((data) => ({ type, data, ...ttl })) }));
  });
  workerd = await startEdgeFixture('egress', { bindings: { DOH_URL: `${resolver.origin}/dns-query` } });
});
afterAll(async () => {
  await workerd.dispose();
  await resolver.close();
  await upstream.close();
});

async function ask(path: string, more: Record<string, unknown> = {}) {
  const url = path.startsWith('/') ? upstream.origin + path : path;
  const asked = { url, allowPrivate: [upstream.origin], limits: { totalMs: 5_000 }, ...more };
  const response = await workerd.dispatchFetch('http://edge/', {
    method: 'POST',
    body: JSON.stringify(asked),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the fixture's response, checked below
  return (await response.json()) as any;
}

test('returns status, headers and body, and reports that it only checks', async () => {
  const { status, text, assurance, headers } = await ask('/plain');
  expect([status, text, assurance]).toEqual([200, TEXT, 'checked']);
  expect(headers).toContainEqual(['content-type', 'text/plain']);
  const repeated = await ask('/repeated');
  expect(repeated.headers.filter(([name]: [string]) => name === 'set-cookie')).toHaveLength(2);
});

test('decodes what the platform decodes, and limits it after decoding', async () => {
  for (const path of ['/gzip', '/br', '/identity']) expect((await ask(path)).text).toBe(TEXT);
  expect(await ask('/gzip', { limits: { bodyBytes: 1000 } })).toMatchObject({ code: 'response_too_large' });
});

test('sends method, headers and body', async () => {
  const sent = await ask('/echo?q=1', { method: 'POST', body: '{"a":1}', headers: [['x-mine', 'yes']] });
  expect(JSON.parse(sent.text)).toMatchObject({
    method: 'POST',
    url: '/echo?q=1',
    body: '{"a":1}',
    headers: { 'x-mine': 'yes', 'user-agent': 'SondeBot/1.0' },
  });
});

test('follows redirects by hand, and checks each hop', async () => {
  const to = encodeURIComponent('/redirect/307?to=/plain');
  const followed = await ask(`/redirect/302?to=${to}`);
  expect([followed.text, followed.redirects.length]).toEqual([TEXT, 2]);
  for (const target of ['http://10.0.0.1/', 'http://169.254.169.254/latest/', 'http://inside.example.com/']) {
    expect(await ask(`/redirect/302?to=${encodeURIComponent(target)}`)).toMatchObject({
      code: 'ssrf_blocked',
    });
  }
});

test.each([
  ['http://127.0.0.1:1234/', 'ssrf_blocked'],
  ['http://[::1]/', 'ssrf_blocked'],
  ['http://2130706433/', 'ssrf_blocked'],
  ['http://localhost/', 'ssrf_blocked'],
  ['http://168.63.129.16/', 'ssrf_blocked'],
  ['http://inside.example.com/', 'ssrf_blocked'],
  ['http://mixed.example.com/', 'ssrf_blocked'],
  ['http://mapped.example.com/', 'ssrf_blocked'],
  ['http://junk.example.com/', 'dns_error'],
  ['http://unknown.example.com/', 'dns_error'],
])('%s is %s, and nothing is sent', async (url, code) => {
  expect(await ask(url)).toMatchObject({ code });
});

test('a name is resolved in both families before it is called', async () => {
  lookups.length = 0;
  await ask('http://mixed.example.com/');
  expect(lookups.sort()).toEqual(['mixed.example.com 1', 'mixed.example.com 28']);
});

test('addresses are cached for their time to live', async () => {
  lookups.length = 0;
  for (let time = 0; time < 3; time++)
    expect(await ask('http://kept.example.com/')).toMatchObject({ code: 'ssrf_blocked' });
  expect(lookups).toHaveLength(2);
});

test("an error of Cloudflare's own front is not a response of the site", async () => {
  const front = await listenHttp((request, response) => {
    const [, status = '', server = ''] = (request.url ?? '').split('/');
    response.writeHead(Number(status), { server }).end('error code: 1016');
  });
  onTestFinished(() => front.close());
  const get = (path: string) => ask(`${front.origin}${path}`, { allowPrivate: [front.origin] });
  for (const status of [520, 521, 522, 523, 524, 525, 526, 527, 530]) {
    expect(await get(`/${status}/cloudflare`)).toMatchObject({ code: 'fetch_error', details: { status } });
  }
  // A response of another server, or one the site itself may send, is the site's.
  expect(await get('/521/nginx')).toMatchObject({ status: 521 });
  expect(await get('/503/cloudflare')).toMatchObject({ status: 503 });
});

test('deadlines and the caller can end a hop, before and after its head', async () => {
  expect(await ask('/never', { limits: { totalMs: 300 } })).toMatchObject({ code: 'timeout' });
  expect(await ask('/drip', { limits: { totalMs: 300 } })).toMatchObject({ code: 'timeout' });
  expect(await ask('/never', { cancelAfterMs: 200 })).toMatchObject({ code: 'canceled' });
});

test('a broken response fails with what the platform reports', async () => {
  expect(await ask('/hang-up')).toMatchObject({ code: 'fetch_error' });
  expect(await ask('/truncated')).toMatchObject({ code: 'fetch_error' });
});
