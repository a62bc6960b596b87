import { afterAll, beforeAll, expect, test } from 'vitest';
import { appForTests } from '../../../test/support/app-for-tests.js';
import { type Listening, listenHttp } from '../../../test/support/listen.js';
import { openProbeClient, type ProbeClient } from '../../runtimes/node/probe.js';
import type { HostBindings } from '../app-env.js';

let site: Listening;
let outbound: ProbeClient;
beforeAll(async () => {
  site = await listenHttp((_request, response) =>
    response.writeHead(200, { vary: 'accept', etag: '"1"' }).end('text'),
  );
  outbound = openProbeClient({ allowPrivate: [site.origin] });
});
afterAll(async () => {
  await outbound.close();
  await site.close();
});

async function probe(query: string, scope = 'compare:write', host: HostBindings = {}) {
  const { app, token } = appForTests({
    probe: { provider: outbound.provider, policy: outbound.outbound.egress.policy },
  });
  const headers = { authorization: `Bearer ${await token(scope)}` };
  const response = await app.request(`/api/probe${query}`, { headers }, host);
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

test('returns the envelope with fixed ids and the core profile', async () => {
  const { status, body } = await probe(`?url=${encodeURIComponent(`${site.origin}/x`)}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    schemaVersion: 1,
    comparisonId: 'test',
    probeId: 'test:left',
    side: 'left',
    requestedUrl: `${site.origin}/x`,
    result: { ok: true, response: { status: 200, headers: { core: { vary: 'accept' } } } },
  });
  expect(body['result']).not.toHaveProperty('response.headers.extended');
});

test('reports its location if the platform provides one', async () => {
  const runner = { colo: 'FRA', country: 'DE', asn: 64500, asOrganization: 'Example' };
  const { body } = await probe(`?url=${encodeURIComponent(site.origin)}`, 'compare:write', { runner });
  expect(body).toMatchObject({ cf: runner });
});

test('supports the full profile', async () => {
  const { body } = await probe(`?profile=full&url=${encodeURIComponent(site.origin)}`);
  expect(body).toMatchObject({ result: { response: { headers: { extended: { etag: ['"1"'] } } } } });
  expect(body).toHaveProperty('exchanges');
});

test.each([
  ['', 'INVALID_REQUEST', 'query.url'],
  ['?url=', 'INVALID_REQUEST', 'query.url'],
  ['?url=https://a.example/&profile=most', 'INVALID_REQUEST', 'query.profile'],
])('names the invalid field of %j', async (query, code, field) => {
  const { status, body } = await probe(query);
  expect(status).toBe(400);
  expect(body['error']).toMatchObject({ code, field });
});

test.each([
  ['nonsense', 'invalid_url', 'unparsable'],
  ['ftp://a.example/', 'invalid_url', 'invalid_scheme'],
  ['http://u:p@a.example/', 'invalid_url', 'userinfo'],
  ['http://127.0.0.1/', 'ssrf_blocked', 'loopback'],
  ['http://metadata.google.internal/', 'ssrf_blocked', 'metadata_name'],
])('refuses %s by its text and names the rule', async (url, code, rule) => {
  const { status, body } = await probe(`?url=${encodeURIComponent(url)}`);
  expect(status).toBe(400);
  expect(body['error']).toMatchObject({ code, rule });
});

test('needs the scope compare:write', async () => {
  const { status, body } = await probe(`?url=${site.origin}`, 'compare:read');
  expect(status).toBe(403);
  expect(body['error']).toMatchObject({ code: 'FORBIDDEN', scope: 'compare:write' });
});
