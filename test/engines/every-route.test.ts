/**
 * Calls every route of the API document that names a resource as a tenant that does not own it: each responds as if the
 * resource did not exist, and nothing changes. A route without a row here fails the test.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { TENANT_SCOPES } from '../../src/scopes.js';
import { type Listening, listenHttp } from '../support/listen.js';
import type { ServedForTest } from '../support/serve.js';
import { RECORD_ENGINES, serveRecords } from '../support/serve-engine.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';

let site: Listening;
beforeAll(async () => {
  site = await listenHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>a page</title>');
  });
});
afterAll(() => site.close());

/** The names of one resource of each kind. */
interface Names {
  readonly stream: string;
  readonly subscription: string;
  readonly proxied: string;
  readonly job: string;
  readonly audit: string;
  readonly comparison: string;
  readonly pair: string;
  readonly suite: string;
  readonly webhook: string;
}

const UNKNOWN_PAIR = '0'.repeat(40);

/** Well-formed but unknown ids. */
const UNKNOWN: Names = {
  stream: 'shelf/blank',
  subscription: 'watch-blank',
  proxied: '019a0000-0000-7000-8000-000000000001',
  job: '019a0000-0000-7000-8000-000000000002',
  audit: '019a0000-0000-7000-8000-000000000003',
  comparison: `${UNKNOWN_PAIR}:019a0000-0000-7000-8000-000000000004`,
  pair: UNKNOWN_PAIR,
  suite: '019a0000-0000-7000-8000-000000000005',
  webhook: '019a0000-0000-7000-8000-000000000006',
};

interface Request {
  readonly path: (names: Names) => string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const subscription = (rest = '', body?: unknown): Request => ({
  path: ({ subscription: id }) => `/v1/stream/__ds/subscriptions/${id}${rest}`,
  ...(body !== undefined && { body }),
});
const stream = (more: Omit<Request, 'path'> = {}): Request => ({
  path: ({ stream: path }) => `/v1/stream/${path}`,
  ...more,
});
const proxied = (query = ''): Request => ({ path: ({ proxied: id }) => `/v1/proxy/${id}${query}` });
const job = (rest = ''): Request => ({ path: ({ job: id }) => `/api/jobs/${id}${rest}` });
const audit = (rest = ''): Request => ({ path: ({ audit: id }) => `/api/audits/${id}${rest}` });
const comparison = (rest = ''): Request => ({
  path: ({ comparison: id }) => `/api/compare/${encodeURIComponent(id)}${rest}`,
});
const suite = (rest = ''): Request => ({ path: ({ suite: id }) => `/api/suites/${id}${rest}` });
const WAKE = { wake_id: 'wake-1', generation: 1 };

/** Rows that remove a resource come last, so that there is something to remove. */
const ROWS: Readonly<Record<string, Request>> = {
  'GET /v1/stream/{path}': stream(),
  'HEAD /v1/stream/{path}': stream(),
  'POST /v1/stream/{path}': stream({ body: 'more', headers: { 'content-type': 'text/plain' } }),
  'GET /v1/stream/__ds/subscriptions/{id}': subscription(),
  'POST /v1/stream/__ds/subscriptions/{id}/streams': subscription('/streams', { streams: ['shelf/more'] }),
  'DELETE /v1/stream/__ds/subscriptions/{id}/streams/{path}': subscription('/streams/shelf%2Fany'),
  'POST /v1/stream/__ds/subscriptions/{id}/claim': subscription('/claim', { worker: 'ann' }),
  'POST /v1/stream/__ds/subscriptions/{id}/callback': subscription('/callback', WAKE),
  'POST /v1/stream/__ds/subscriptions/{id}/ack': subscription('/ack', { ...WAKE, acks: [] }),
  'POST /v1/stream/__ds/subscriptions/{id}/release': subscription('/release', WAKE),
  'GET /v1/proxy/{id}': proxied('?offset=-1'),
  'HEAD /v1/proxy/{id}': proxied(),
  'POST /v1/proxy/{id}': proxied('?action=share'),
  'PATCH /v1/proxy/{id}': proxied('?action=abort&expires=9999999999&signature=c2lnbmVk'),
  'GET /api/jobs/{jobId}': job(),
  'GET /api/jobs/{jobId}/events': job('/events'),
  'POST /api/jobs/{jobId}/retry': job('/retry'),
  'GET /api/audits/{auditId}': audit(),
  'GET /api/audits/{auditId}/events': audit('/events'),
  'GET /api/audits/{auditId}/report': audit('/report?format=json'),
  'GET /api/audits/{auditId}/diff/{other}': { path: ({ audit: id }) => `/api/audits/${id}/diff/${id}` },
  'GET /api/compare/{comparisonId}': comparison(),
  'GET /api/compare/{comparisonId}/probes': comparison('/probes'),
  'GET /api/compare/{comparisonId}/events': comparison('/events'),
  'GET /api/pairs/{pairKey}/comparisons': { path: ({ pair }) => `/api/pairs/${pair}/comparisons` },
  'GET /api/pairs/{pairKey}/baseline': { path: ({ pair }) => `/api/pairs/${pair}/baseline` },
  'POST /api/pairs/{pairKey}/baseline': {
    path: ({ pair }) => `/api/pairs/${pair}/baseline`,
    body: { comparisonId: UNKNOWN.comparison, findings: 'all' },
  },
  'DELETE /api/pairs/{pairKey}/baseline/{entryId}': {
    path: ({ pair }) => `/api/pairs/${pair}/baseline/${'0'.repeat(32)}`,
  },
  'GET /api/suites/{suiteId}': suite(),
  'GET /api/suites/{suiteId}/events': suite('/events'),
  'POST /api/jobs/{jobId}/cancel': job('/cancel'),
  'POST /api/audits/{auditId}/cancel': audit('/cancel'),
  'POST /api/compare/{comparisonId}/cancel': comparison('/cancel'),
  'POST /api/compare/{comparisonId}/again': comparison('/again'),
  'POST /api/suites/{suiteId}/cancel': suite('/cancel'),
  'DELETE /api/jobs/{jobId}': job(),
  'DELETE /api/audits/{auditId}': audit(),
  'DELETE /api/compare/{comparisonId}': comparison(),
  'DELETE /api/suites/{suiteId}': suite(),
  'DELETE /api/pairs/{pairKey}': { path: ({ pair }) => `/api/pairs/${pair}` },
  'DELETE /api/webhooks/{webhookId}': { path: ({ webhook: id }) => `/api/webhooks/${id}` },
  'DELETE /v1/proxy/{id}': proxied(),
  'DELETE /v1/stream/__ds/subscriptions/{id}': subscription(),
  'DELETE /v1/stream/{path}': stream(),
  // What a stranger creates under a taken name is the stranger's own.
  'PUT /v1/stream/__ds/subscriptions/{id}': subscription('', {
    type: 'pull-wake',
    streams: ['shelf/any'],
    wake_stream: 'wakes',
  }),
  'PUT /v1/stream/{path}': stream({ headers: { 'content-type': 'text/plain' } }),
};

const LISTS = ['/api/streams', '/api/jobs', '/api/audits', '/api/pairs', '/api/suites', '/api/webhooks'];

describe.each(RECORD_ENGINES)('every route on %s', (_name, newUrl) => {
  let server: ServedForTest;
  let owned: Names;

  beforeAll(async () => {
    const databaseUrl = await newUrl();
    server = await serveRecords(
      { databaseUrl, tenants: { owner: {}, stranger: {} } },
      {
        auth: 'jwt',
        jwt: { secret: SECRET },
        net: { allowPrivate: [site.origin] },
        proxy: { allow: [`private:${site.origin}`], routes: {}, env: () => undefined },
      },
    );
    owned = await makeAll();
  });
  afterAll(() => server.stop());

  async function send(tenant: string, method: string, { path, body, headers }: Sent): Promise<Response> {
    const token = await mintToken({
      secret: SECRET,
      tenant,
      scopes: [...TENANT_SCOPES],
      expiresInSeconds: 600,
    });
    const json = body !== undefined && typeof body !== 'string';
    return fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: json ? JSON.stringify(body) : String(body) }),
    });
  }

  async function made(path: string, body: unknown): Promise<Record<string, string>> {
    const response = await send('owner', 'POST', { path, body });
    expect([path, response.status]).toEqual([
      path,
      expect.toSatisfy((status) => status === 201 || status === 202),
    ]);
    return (await response.json()) as Record<string, string>;
  }

  async function makeAll(): Promise<Names> {
    const names = { stream: 'shelf/owned', subscription: 'watch-owned' };
    const text = { 'content-type': 'text/plain' };
    const kept = await send('owner', 'PUT', {
      path: `/v1/stream/${names.stream}`,
      headers: text,
      body: 'mine',
    });
    expect(kept.status).toBe(201);
    const watched = await send('owner', 'PUT', {
      path: `/v1/stream/__ds/subscriptions/${names.subscription}`,
      body: { type: 'pull-wake', streams: [names.stream], wake_stream: 'wakes' },
    });
    expect(watched.status).toBe(201);
    const piped = await send('owner', 'POST', {
      path: '/v1/proxy',
      headers: { 'upstream-url': `${site.origin}/piped`, 'upstream-method': 'GET' },
    });
    expect(piped.status).toBe(201);
    const sides = { leftUrl: `${site.origin}/a`, rightUrl: `${site.origin}/b`, samples: 1, profile: 'core' };
    const { jobId = '' } = await made('/api/jobs', { kind: 'hello', url: `${site.origin}/hello` });
    const { auditId = '' } = await made('/api/audits', {
      url: site.origin,
      pages: 1,
    });
    const { comparisonId = '' } = await made('/api/compare', sides);
    const { suiteId = '' } = await made('/api/suites', { ...sides, paths: ['/a'] });
    const { webhookId: webhook = '' } = await made('/api/webhooks', { url: `${site.origin}/hook` });
    const all: Names = {
      ...names,
      proxied: new URL(piped.headers.get('location') ?? '', server.url).pathname.split('/').at(-1) ?? '',
      job: jobId,
      audit: auditId,
      comparison: comparisonId,
      pair: comparisonId.split(':')[0] ?? '',
      suite: suiteId,
      webhook,
    };
    expect(lengthsOf(all)).toEqual(lengthsOf(UNKNOWN));
    return all;
  }

  test('has a row here if it names a resource', async () => {
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as ApiDocument;
    const naming = Object.entries(paths)
      .filter(([path]) => path.includes('{') && !path.startsWith('/r/'))
      .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
    expect(naming.sort()).toEqual(Object.keys(ROWS).sort());
  });

  test.each(LISTS)('%s lists nothing of another tenant', async (path) => {
    const own = await (await send('owner', 'GET', { path })).text();
    const theirs = await (await send('stranger', 'GET', { path })).text();
    const names = Object.values(owned);
    expect(names.some((name) => own.includes(name))).toBe(true);
    expect(names.filter((name) => theirs.includes(name))).toEqual([]);
  });

  test.each(Object.entries(ROWS))(
    '%s responds alike to a foreign and to an unknown name',
    async (route, row) => {
      const [method = ''] = route.split(' ');
      const responsesFor = async (names: Names) => {
        const response = await send('stranger', method, { ...row, path: row.path(names) });
        return masked(await shown(response), names);
      };
      expect(await responsesFor(owned)).toEqual(await responsesFor(UNKNOWN));
    },
  );

  test("leaves the owner's resources in place", async () => {
    for (const [route, row] of Object.entries(ROWS)) {
      const [method = '', path = ''] = route.split(' ');
      if (method !== 'GET' || path.includes('/diff/') || path.endsWith('/report')) continue;
      const response = await send('owner', method, { ...row, path: row.path(owned) });
      expect([route, response.status]).toEqual([route, 200]);
      await response.text();
    }
    expect(await (await send('owner', 'GET', { path: `/v1/stream/${owned.stream}` })).text()).toBe('mine');
  });
});

/** A name of another length would be refused as malformed, before any lookup. */
function lengthsOf(names: Names): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(names).map(([kind, name]) => [kind, name.length]));
}

interface Sent extends Omit<Request, 'path'> {
  readonly path: string;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Shown {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

async function shown(response: Response): Promise<Shown> {
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return { status: response.status, headers, body: await response.text() };
}

/** Removes the requested names, the time, and counters of responses. */
function masked({ status, headers, body }: Shown, names: Names): Shown {
  const forms = Object.values(names).flatMap((name) => [name, encodeURIComponent(name)]);
  const mask = (text: string) =>
    forms
      .toSorted((a, b) => b.length - a.length)
      .reduce((rest, name) => rest.replaceAll(name, '{name}'), text)
      .replace(/\b[0-9a-z]{5}(?=:\d{8}:\d{10}\b)/g, '{generation}')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '{time}')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '{id}');
  return {
    status,
    headers: headers.filter((line) => !/^(?:date|x-request-id|ratelimit.*):/.test(line)).map(mask),
    body: mask(body),
  };
}
