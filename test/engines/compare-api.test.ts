/** Comparisons over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { type Listening, listenHttp } from '../support/listen.js';
import type { ServedForTest } from '../support/serve.js';
import { serveEngine } from '../support/serve-engine.js';
import { storedFilesWith } from '../support/stored-files.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const CANARY = 'canary-token-of-staging-4711';

let left: Listening;
let right: Listening;
let server: ServedForTest;
const asked: (string | undefined)[] = [];

beforeAll(async () => {
  left = await listenHttp((request, response) => {
    asked.push(request.headers.authorization);
    response
      .writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' })
      .end('<title>a</title>');
  });
  right = await listenHttp((request, response) => {
    if (request.headers.authorization !== undefined) asked.push('leaked');
    response
      .writeHead(200, { 'content-type': 'text/html', 'cache-control': 'max-age=600' })
      .end('<title>a</title>');
  });
  server = await serveEngine({
    auth: 'jwt',
    jwt: { secret: SECRET },
    net: { allowPrivate: [left.origin, right.origin] },
  });
});
afterAll(async () => {
  await server.stop();
  await left.close();
  await right.close();
});

async function ask(path: string, init: RequestInit & { tenant?: string } = {}) {
  const { tenant = 'default', ...rest } = init;
  const scopes = ['compare:read', 'compare:write'];
  const token = await mintToken({ secret: SECRET, tenant, scopes, expiresInSeconds: 600 });
  return fetch(`${server.url}${path}`, {
    ...rest,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...rest.headers },
  });
}

const create = (body: object, headers: Record<string, string> = {}) =>
  ask('/api/compare', { method: 'POST', body: JSON.stringify(body), headers });

interface Shown {
  readonly status: string;
  readonly explanationState: string;
  readonly leftLabel?: string;
  readonly rightLabel?: string;
  readonly result?: {
    readonly left: { readonly probeId: string };
    readonly right: { readonly probeId: string };
    readonly diff: { readonly verdict: string; readonly findings: readonly { readonly code: string }[] };
    readonly explanation: { readonly summary: string } | null;
  };
}

async function ended(comparisonId: string): Promise<Shown> {
  for (let round = 0; round < 20; round++) {
    const events = await ask(`/api/compare/${comparisonId}/events`, {
      headers: { accept: 'text/event-stream' },
    });
    await events.text();
    const shown = (await (await ask(`/api/compare/${comparisonId}`)).json()) as Shown;
    if (shown.status !== 'running' && shown.explanationState !== 'pending') return shown;
  }
  throw new Error('the comparison did not end');
}

test('two environments are compared, with findings, an explanation and a history', async () => {
  const body = {
    leftUrl: `${left.origin}/`,
    rightUrl: `${right.origin}/`,
    leftHeaders: { Authorization: `Bearer ${CANARY}` },
    leftLabel: 'staging',
    rightLabel: 'production',
    samples: 2,
    profile: 'core',
  };
  const made = await create(body);
  expect(made.status).toBe(201);
  const { comparisonId } = (await made.json()) as { comparisonId: string };
  expect(made.headers.get('location')).toBe(`${server.url}/api/compare/${comparisonId}`);
  const shown = await ended(comparisonId);
  expect(shown).toMatchObject({ status: 'completed', leftLabel: 'staging', rightLabel: 'production' });
  expect(shown.result?.left.probeId).toBe(`${comparisonId}:left`);
  expect(shown.result?.diff.findings.map(({ code }) => code)).toContain('CACHE_HEADER_DRIFT');
  expect(shown.explanationState).toBe('ready');
  expect(shown.result?.explanation?.summary).not.toBe('');

  const probes = (await (await ask(`/api/compare/${comparisonId}/probes`)).json()) as {
    probes: { side: string; samples: unknown[] }[];
  };
  expect(probes.probes.map(({ side, samples }) => [side, samples.length])).toEqual([
    ['left', 1],
    ['right', 1],
  ]);
  const { pairs } = (await (await ask('/api/pairs')).json()) as {
    pairs: { pairKey: string; comparisons: number }[];
  };
  expect(pairs).toMatchObject([{ pairKey: comparisonId.split(':')[0], comparisons: 1 }]);
  const history = await ask(`/api/pairs/${pairs[0]?.pairKey}/comparisons`);
  expect(await history.json()).toMatchObject({
    comparisons: [{ comparisonId, status: 'completed', verdict: expect.any(String) }],
  });
});

test("a side's headers reach that side and are stored nowhere", () => {
  expect(asked).toContain(`Bearer ${CANARY}`);
  expect(asked).not.toContain('leaked');
  const { all, found } = storedFilesWith(server.dataDir, CANARY);
  expect(all).toBeGreaterThan(0);
  expect(found).toEqual([]);
});

test('one Idempotency-Key creates one comparison', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const body = { leftUrl: `${left.origin}/k`, rightUrl: `${right.origin}/k`, samples: 1, profile: 'core' };
  const first = (await (await create(body, headers)).json()) as { comparisonId: string };
  expect(await (await create(body, headers)).json()).toEqual(first);
  expect((await create({ ...body, samples: 2 }, headers)).status).toBe(422);
  await ended(first.comparisonId);
});

test.each([
  [{ rightUrl: 'https://example.com/' }, 'INVALID_REQUEST', 'leftUrl'],
  [{ leftUrl: 'nothing', rightUrl: 'https://example.com/' }, 'invalid_url', 'leftUrl'],
  [{ leftUrl: 'https://example.com/', rightUrl: 'http://10.0.0.1/' }, 'ssrf_blocked', 'rightUrl'],
  [
    { leftUrl: 'https://example.com/', rightUrl: 'https://example.org/', samples: 0 },
    'INVALID_REQUEST',
    'samples',
  ],
  [
    { leftUrl: 'https://example.com/', rightUrl: 'https://example.org/', leftHeaders: { 'bad name': 'x' } },
    'INVALID_REQUEST',
    'bad name',
  ],
])('%j is refused as %s, naming %s', async (body, code, named) => {
  const response = await create(body);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  expect(error.code).toBe(code);
  expect(JSON.stringify(error)).toContain(named);
});

test.each([
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[::]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://0.0.0.0/',
  'http://localhost./',
  'http://app.localhost/',
  'http://100.64.0.1/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://metadata.google.internal/',
  'http://172.31.255.255/',
  'https://example.com:22/',
])('a URL that a probe would refuse by its text starts no comparison: %s', async (rightUrl) => {
  const response = await create({ leftUrl: 'https://example.com/', rightUrl });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'ssrf_blocked', rule: expect.any(String) } });
});

test('an unknown comparison is not found', async () => {
  for (const id of ['x', `${'a'.repeat(40)}:${crypto.randomUUID()}`]) {
    for (const path of ['', '/probes', '/events'])
      expect((await ask(`/api/compare/${id}${path}`)).status).toBe(404);
  }
});
