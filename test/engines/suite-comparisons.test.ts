/** The comparisons of a suite as resources of their own: their events, and what happens to them when the suite ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { newDatabase } from '../support/postgres-database.js';
import { openRecordsForTest, type ServedForTest, serveForTest } from '../support/serve.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const folder = mkdtempSync(join(tmpdir(), 'sonde-suite-comparisons-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A side that responds to `/held…` only when released, and records each request. */
let side: Listening;
const held: (() => void)[] = [];
const onHeld: (() => void)[] = [];
const letGo = () => {
  for (const response of held.splice(0)) response();
};
beforeAll(async () => {
  side = await listenHttp((request, response) => {
    const reply = () => response.writeHead(200, { 'content-type': 'text/plain' }).end('text');
    if (!request.url?.startsWith('/held')) return void reply();
    held.push(reply);
    for (const act of onHeld.splice(0)) act();
  });
});
afterAll(async () => {
  letGo();
  await side.close();
});
async function untilHeld(): Promise<void> {
  if (held.length === 0) await new Promise<void>((resolve) => onHeld.push(resolve));
}

const engines = { sqlite: async () => undefined, postgres: () => newDatabase() };

describe.each(Object.entries(engines))('comparisons of a suite on %s', (name, newUrl) => {
  let server: ServedForTest;
  let tenantId: string;
  let stores: Awaited<ReturnType<typeof openRecordsForTest>>;

  beforeAll(async () => {
    const databaseUrl = await newUrl();
    const jobs = { pollMs: 100, databaseUrl };
    const dataDir = join(folder, name);
    const net = { allowPrivate: [side.origin] };
    server = await serveForTest({ dataDir, auth: 'jwt', jwt: { secret: SECRET }, net, jobs });
    stores = await openRecordsForTest(dataDir, jobs);
    tenantId = (await stores.tenants.bySlug('default'))?.id ?? '';
  });
  afterAll(async () => {
    await stores.close();
    await server.stop();
  });

  const ask = async (path: string, init: RequestInit = {}) => {
    const scopes = ['compare:read', 'compare:write'];
    const token = await mintToken({ secret: SECRET, tenant: 'default', scopes, expiresInSeconds: 600 });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
    return fetch(`${server.url}${path}`, { ...init, headers });
  };

  /** Starts a suite, waits for its first paths, and returns the ids of their comparisons. */
  async function suiteAt(paths: readonly string[], more: object = {}) {
    const body = { leftUrl: side.origin, rightUrl: side.origin, samples: 1, profile: 'core', paths, ...more };
    const response = await ask('/api/suites', { method: 'POST', body: JSON.stringify(body) });
    expect(response.status, await response.clone().text()).toBe(201);
    const { suiteId } = (await response.json()) as { suiteId: string };
    await untilHeld();
    const shown = (await (await ask(`/api/suites/${suiteId}`)).json()) as {
      rows: { comparisonId: string }[];
    };
    return { suiteId, ids: shown.rows.map(({ comparisonId }) => comparisonId) };
  }

  const SSE = { accept: 'text/event-stream' };

  test('their events are streamed until they end', async () => {
    const { ids } = await suiteAt(['/held/a']);
    const path = `/api/compare/${ids[0]}/events`;
    expect(await (await ask(path)).json()).toMatchObject({
      events: [{ seq: 1, type: 'status_changed', message: 'running', progress: 0 }],
      next: 1,
      ended: false,
    });
    const live = await ask(path, { headers: SSE });
    expect(live.headers.get('content-type')).toBe('text/event-stream');
    const release = setInterval(letGo, 20);
    const streamed = await live.text();
    clearInterval(release);
    expect(streamed.match(/^id: \d+$/gm)).toEqual(['id: 1', 'id: 2']);
    expect(streamed).toContain('"message":"completed","data":null,"progress":100');
    expect(await (await ask(`/api/compare/${ids[0]}`)).json()).toMatchObject({ status: 'completed' });
    expect(await (await ask(`${path}?after=1`)).json()).toMatchObject({ events: [{ seq: 2 }], ended: true });
    expect((await ask(path, { headers: { ...SSE, 'last-event-id': '2' } })).status).toBe(204);
  });

  test('a requested explanation reports its outcome as an event', async () => {
    const { ids } = await suiteAt(['/held/b'], { explain: true });
    const live = await ask(`/api/compare/${ids[0]}/events`, { headers: SSE });
    const release = setInterval(letGo, 20);
    const streamed = await live.text();
    clearInterval(release);
    expect(streamed).toContain('"message":"explanation ready"');
  });

  test('they end when the suite is canceled, and their sealed sides are erased', async () => {
    const { suiteId, ids } = await suiteAt(['/held/c', '/held/d', '/held/e'], {
      concurrency: 2,
      leftHeaders: { authorization: 'Bearer staging' },
    });
    const sealedOf = (comparisonId = '') => stores.comparisons.getSealed({ tenantId, comparisonId });
    expect((await sealedOf(ids[0]))?.left).toBeInstanceOf(Uint8Array);
    expect((await ask(`/api/jobs/${suiteId}/cancel`, { method: 'POST', body: '{}' })).status).toBe(200);
    for (const id of ids.slice(0, 2)) {
      await expect.poll(async () => (await ask(`/api/compare/${id}`)).status).toBe(200);
      await expect
        .poll(async () => (await ask(`/api/compare/${id}`)).json())
        .toMatchObject({ status: 'failed', error: { code: 'canceled' } });
      expect(await sealedOf(id)).toBeUndefined();
    }
    expect((await ask(`/api/compare/${ids[2]}`)).status).toBe(404);
    letGo();
  });

  test('one whose path has a credential cannot be repeated without it', async () => {
    const { ids } = await suiteAt(['/held/g?token=t0ps3cret-of-the-path'], {
      rightHeaders: { authorization: 'Bearer staging' },
    });
    const live = await ask(`/api/compare/${ids[0]}/events`, { headers: SSE });
    const release = setInterval(letGo, 20);
    await live.text();
    clearInterval(release);
    const again = await ask(`/api/compare/${ids[0]}/again`, { method: 'POST' });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({
      error: {
        code: 'SECRETS_ERASED',
        fields: ['leftUrl', 'rightUrl', 'rightHeaders.authorization'],
      },
    });
  });

  test('a suite that outlived its job still shows how it ended', async () => {
    const { suiteId } = await suiteAt(['/held/f']);
    const path = `/api/suites/${suiteId}/events`;
    const live = await ask(path, { headers: SSE });
    const release = setInterval(letGo, 20);
    await live.text();
    clearInterval(release);
    // Its last event is shown before the job has ended.
    await expect
      .poll(async () => {
        await stores.jobs.prune({ olderThanMs: 0, limit: 100 });
        return stores.jobs.get(tenantId, suiteId);
      })
      .toBeUndefined();
    expect(await (await ask(path)).json()).toMatchObject({
      events: [
        { seq: 1, message: 'running', progress: 0 },
        { seq: 2, message: 'completed', progress: 100 },
      ],
      ended: true,
    });
    expect((await ask(path, { headers: { ...SSE, 'last-event-id': '2' } })).status).toBe(204);
  });
});
