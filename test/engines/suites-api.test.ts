/** Suites over HTTP on every record engine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { runSql } from '../support/postgres-database.js';
import type { ServedForTest } from '../support/serve.js';
import { RECORD_ENGINES, serveRecords } from '../support/serve-engine.js';
import { storedFilesWith } from '../support/stored-files.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const CANARY = 'canary-token-of-a-suite-0815';

let left: Listening;
let right: Listening;
const asked: { side: string; authorization: string | undefined }[] = [];
const running = { left: 0, right: 0 };
const most = { left: 0, right: 0 };
const waiting: (() => void)[] = [];

const sitemap = (origin: string, paths: readonly string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')}</urlset>`;

beforeAll(async () => {
  const side = async (name: 'left' | 'right', extra: string) => {
    const own = await listenHttp((request, response) => {
      asked.push({ side: name, authorization: request.headers.authorization });
      const path = request.url ?? '';
      if (path === '/sitemap.xml') {
        return response
          .writeHead(200, { 'content-type': 'application/xml' })
          .end(sitemap(own.origin, ['/a', '/b', extra]));
      }
      if (path.startsWith('/hang')) return waiting.push(() => response.destroy());
      running[name] += 1;
      most[name] = Math.max(most[name], running[name]);
      const status = path === '/broken' && name === 'left' ? 500 : 200;
      const cache = path === '/b' && name === 'left' ? 'max-age=10' : 'no-store';
      response.writeHead(status, { 'content-type': 'text/plain', 'cache-control': cache });
      return response.end(path, () => {
        running[name] -= 1;
      });
    });
    return own;
  };
  left = await side('left', '/only-left');
  right = await side('right', '/only-right');
});
afterAll(async () => {
  for (const free of waiting.splice(0)) free();
  await left.close();
  await right.close();
});

interface Row {
  readonly path: string;
  readonly verdict: string | null;
  readonly comparisonId: string;
}
interface Shown {
  readonly status: string;
  readonly verdict: string | null;
  readonly paths: number;
  readonly done: number;
  readonly findings: readonly { code: string; severity: string; evidence: { keys: string[] }[] }[];
  readonly rows: readonly Row[];
  readonly error?: { code: string };
}

describe.each(RECORD_ENGINES)('suites over HTTP on %s', (_name, newUrl) => {
  let server: ServedForTest;
  let databaseUrl: string | undefined;

  beforeAll(async () => {
    databaseUrl = await newUrl();
    const net = { allowPrivate: [left.origin, right.origin] };
    const options = { auth: 'jwt', jwt: { secret: SECRET }, net } as const;
    server = await serveRecords({ databaseUrl, tenants: { other: {} } }, options);
  });
  afterAll(() => server.stop());

  const ask = async (path: string, init: RequestInit & { tenant?: string } = {}) => {
    const { tenant = 'default', ...rest } = init;
    const scopes = ['compare:read', 'compare:write'];
    const token = await mintToken({ secret: SECRET, tenant, scopes, expiresInSeconds: 600 });
    return fetch(`${server.url}${path}`, {
      ...rest,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...rest.headers },
    });
  };
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), headers });
  const create = (body: object, headers: Record<string, string> = {}) =>
    post(
      '/api/suites',
      { leftUrl: left.origin, rightUrl: right.origin, samples: 1, profile: 'core', ...body },
      headers,
    );
  const made = async (body: object) => {
    const response = await create(body);
    expect(response.status, await response.clone().text()).toBe(201);
    const { suiteId } = (await response.json()) as { suiteId: string };
    expect(response.headers.get('location')).toBe(`${server.url}/api/suites/${suiteId}`);
    return suiteId;
  };
  const shown = async (suiteId: string) => (await (await ask(`/api/suites/${suiteId}`)).json()) as Shown;
  const ended = async (suiteId: string): Promise<Shown> => {
    for (let round = 0; round < 20; round++) {
      const events = await ask(`/api/suites/${suiteId}/events`, { headers: { accept: 'text/event-stream' } });
      await events.text();
      const suite = await shown(suiteId);
      if (suite.status !== 'running') return suite;
    }
    throw new Error('the suite did not end');
  };

  test('a list makes one comparison per path, and the worst verdict is the suite’s', async () => {
    const leftHeaders = { Authorization: `Bearer ${CANARY}` };
    const suiteId = await made({ paths: ['/a', '/b', '/broken'], leftHeaders, concurrency: 3, perHost: 1 });
    const suite = await ended(suiteId);
    expect(suite).toMatchObject({ status: 'completed', verdict: 'fail', paths: 3, done: 3, findings: [] });
    expect(suite.rows.map(({ path, verdict }) => [path, verdict])).toEqual([
      ['/a', 'pass'],
      ['/b', expect.stringMatching(/warn|fail/)],
      ['/broken', 'fail'],
    ]);
    const comparison = await ask(`/api/compare/${suite.rows[2]?.comparisonId}`);
    expect(await comparison.json()).toMatchObject({
      status: 'completed',
      leftUrl: `${left.origin}/broken`,
      explanationState: 'off',
    });
    expect(most).toEqual({ left: 1, right: 1 });
    const { suites } = (await (await ask('/api/suites')).json()) as { suites: { suiteId: string }[] };
    expect(suites[0]?.suiteId).toBe(suiteId);
  });

  test("a side's headers reach that side and are stored nowhere", async () => {
    expect(asked.some(({ side, authorization }) => side === 'left' && authorization?.includes(CANARY))).toBe(
      true,
    );
    expect(asked.some(({ side, authorization }) => side === 'right' && authorization !== undefined)).toBe(
      false,
    );
    if (databaseUrl === undefined) {
      const { all, found } = storedFilesWith(server.dataDir, CANARY);
      expect(all).toBeGreaterThan(0);
      expect(found).toEqual([]);
    } else {
      const rows = await runSql(
        databaseUrl,
        'SELECT c::text FROM comparisons c UNION ALL SELECT s::text FROM suites s',
      );
      expect(JSON.stringify(rows)).not.toContain(CANARY);
    }
  });

  test('sitemaps: shared paths are compared, paths of one side are a finding', async () => {
    const suite = await ended(await made({ sitemap: '/sitemap.xml' }));
    expect(suite.rows.map(({ path }) => path)).toEqual(['/a', '/b']);
    expect(suite.findings).toMatchObject([{ code: 'ROUTE_SET_DRIFT', severity: 'warn' }]);
    expect(suite.findings[0]?.evidence.flatMap(({ keys }) => keys)).toEqual(['/only-left', '/only-right']);
  });

  test('OpenAPI documents and recordings, one for both sides or one per side', async () => {
    const document = (paths: readonly string[]) => ({
      openapi: '3.1.0',
      info: { title: 't', version: '1' },
      paths: Object.fromEntries(paths.map((path) => [path, { get: { responses: {} } }])),
    });
    const entry = (url: string) => ({
      startedDateTime: '2026-03-03T10:00:00.000Z',
      time: 1,
      request: {
        method: 'GET',
        url,
        httpVersion: 'h2',
        headers: [],
        cookies: [],
        queryString: [],
        headersSize: -1,
        bodySize: 0,
      },
      response: {
        status: 200,
        statusText: 'OK',
        httpVersion: 'h2',
        cookies: [],
        headersSize: -1,
        bodySize: 0,
        redirectURL: '',
        headers: [{ name: 'content-type', value: 'text/html' }],
        content: { size: 1, mimeType: 'text/html', text: 'x' },
      },
      cache: {},
      timings: { send: 0, wait: 1, receive: 0 },
    });
    const har = (urls: readonly string[]) => ({
      log: { version: '1.2', creator: { name: 't', version: '1' }, entries: urls.map(entry) },
    });
    const one = await ended(await made({ openapi: document(['/a']) }));
    expect(one.rows.map(({ path }) => path)).toEqual(['/a']);
    const two = await ended(
      await made({ openapi: { left: document(['/a', '/x']), right: document(['/a']) } }),
    );
    expect(two).toMatchObject({ paths: 1, findings: [{ code: 'ROUTE_SET_DRIFT' }] });
    const recorded = await ended(
      await made({
        har: { left: har([`${left.origin}/a`]), right: har([`${right.origin}/a`, `${right.origin}/z`]) },
      }),
    );
    expect(recorded).toMatchObject({ paths: 1, findings: [{ code: 'ROUTE_SET_DRIFT' }], verdict: 'warn' });
  });

  test.each([
    [{}, 'INVALID_REQUEST', 'paths'],
    [{ paths: ['/a'], sitemap: '/s.xml' }, 'INVALID_REQUEST', 'paths'],
    [{ paths: ['ftp://x/'] }, 'INVALID_REQUEST', 'paths'],
    [{ paths: ['/a'], rightUrl: 'http://10.0.0.1/' }, 'ssrf_blocked', 'rightUrl'],
    [{ paths: ['/a'], concurrency: 1000 }, 'INVALID_REQUEST', 'concurrency'],
    [
      { openapi: { openapi: '3.1.0', paths: { '/a': { $ref: 'https://else.example/x' } } } },
      'INVALID_REQUEST',
      'outside the document',
    ],
    [{ har: { log: 7 } }, 'HAR_INVALID', ''],
  ])('%j is refused as %s', async (body, code, named) => {
    const response = await create(body);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { code: string } };
    expect(error.code).toBe(code);
    expect(JSON.stringify(error)).toContain(named);
  });

  test("a recording nested deeper than the JSON limit is refused as the caller's error", async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const base = { leftUrl: left.origin, rightUrl: right.origin, har: { log: { entries: 'DEEP' } } };
    const body = JSON.stringify(base).replace('"DEEP"', deep);
    const response = await ask('/api/suites', { method: 'POST', body });
    // An engine without threads accepts no request as long as this one.
    expect([400, 413]).toContain(response.status);
  });

  test('one Idempotency-Key creates one suite, which another tenant cannot see', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = (await (await create({ paths: ['/a'] }, headers)).json()) as { suiteId: string };
    expect(await (await create({ paths: ['/a'] }, headers)).json()).toEqual(first);
    const path = `/api/suites/${first.suiteId}`;
    for (const one of [path, `${path}/events`])
      expect((await ask(one, { tenant: 'other' })).status).toBe(404);
    expect(await (await ask('/api/suites', { tenant: 'other' })).json()).toEqual({ suites: [] });
    expect((await ask('/api/suites/nothing')).status).toBe(404);
    await ended(first.suiteId);
  });

  test('a canceled suite and a canceled comparison end at once and report it', async () => {
    const suiteId = await made({ paths: ['/hang/1', '/hang/2'] });
    expect((await post(`/api/jobs/${suiteId}/cancel`, {})).status).toBe(200);
    expect(await shown(suiteId)).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
    const body = { leftUrl: `${left.origin}/hang`, rightUrl: `${right.origin}/hang`, samples: 1 };
    const response = await post('/api/compare', body);
    const { comparisonId } = (await response.json()) as { comparisonId: string };
    expect((await post(`/api/jobs/${comparisonId.split(':')[1]}/cancel`, {})).status).toBe(200);
    expect(await (await ask(`/api/compare/${comparisonId}`)).json()).toMatchObject({
      status: 'failed',
      error: { code: 'canceled' },
    });
  });
});
