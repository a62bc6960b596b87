/** Two tenants compare the same pair, and neither can tell that the other does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { uuidV7 } from '../../src/uuid.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { newDatabase } from '../support/postgres-database.js';
import { openRecordsForTest, type ServedForTest, serveForTest } from '../support/serve.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const folder = mkdtempSync(join(tmpdir(), 'sonde-compare-tenants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let site: Listening;
beforeAll(async () => {
  site = await listenHttp((_request, response) => response.end('text'));
});
afterAll(() => site.close());

const engines = { sqlite: async () => undefined, postgres: () => newDatabase() };

describe.each(Object.entries(engines))('comparisons of two tenants on %s', (name, newUrl) => {
  let server: ServedForTest;
  beforeAll(async () => {
    const databaseUrl = await newUrl();
    const jobs = { pollMs: 100, databaseUrl };
    const dataDir = join(folder, name);
    const net = { allowPrivate: [site.origin] };
    server = await serveForTest({ dataDir, auth: 'jwt', jwt: { secret: SECRET }, net, jobs });
    const stores = await openRecordsForTest(dataDir, jobs);
    for (const slug of ['acme', 'umbrella']) {
      await stores.tenants.create({ id: uuidV7(Date.now()), slug, name: slug, quotas: {} });
    }
    await stores.close();
  });
  afterAll(() => server.stop());

  async function ask(
    tenant: string,
    path: string,
    { scopes = ['compare:read', 'compare:write'], ...init } = {} as Asked,
  ) {
    const token = await mintToken({ secret: SECRET, tenant, scopes, expiresInSeconds: 600 });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
    return fetch(`${server.url}${path}`, { ...init, headers });
  }

  async function compared(tenant: string): Promise<string> {
    const body = { leftUrl: `${site.origin}/a`, rightUrl: `${site.origin}/b`, samples: 1, profile: 'core' };
    const made = await ask(tenant, '/api/compare', { method: 'POST', body: JSON.stringify(body) });
    expect(made.status).toBe(201);
    const { comparisonId } = (await made.json()) as { comparisonId: string };
    const events = await ask(tenant, `/api/compare/${comparisonId}/events`, {
      headers: { accept: 'text/event-stream' },
    });
    await events.text();
    return comparisonId;
  }

  test('each has its own key, history and pairs', async () => {
    const ids = { acme: await compared('acme'), umbrella: await compared('umbrella') };
    const [acmeKey, umbrellaKey] = Object.values(ids).map((id) => id.split(':')[0]);
    expect(acmeKey).not.toBe(umbrellaKey);
    for (const path of ['', '/probes', '/events']) {
      expect((await ask('umbrella', `/api/compare/${ids.acme}${path}`)).status).toBe(404);
      expect((await ask('acme', `/api/compare/${ids.acme}${path}`)).status).toBe(200);
    }
    expect(await (await ask('umbrella', '/api/pairs')).json()).toMatchObject({
      pairs: [{ pairKey: umbrellaKey, comparisons: 1 }],
    });
    const history = await ask('umbrella', `/api/pairs/${acmeKey}/comparisons`);
    expect(await history.json()).toEqual({ comparisons: [] });
  });

  test('a caller without the scope, without a tenant or without a credential is refused', async () => {
    const body = JSON.stringify({ leftUrl: `${site.origin}/a`, rightUrl: `${site.origin}/b` });
    const write = { method: 'POST', body, scopes: ['compare:read'] };
    expect((await ask('acme', '/api/compare', write)).status).toBe(403);
    expect((await ask('acme', '/api/pairs', { scopes: ['compare:write'] })).status).toBe(403);
    expect((await ask('nobody', '/api/pairs')).status).toBe(403);
    expect((await fetch(`${server.url}/api/pairs`)).status).toBe(401);
  });
});

interface Asked extends Omit<RequestInit, 'headers'> {
  readonly headers?: Record<string, string>;
  readonly scopes?: string[];
}
