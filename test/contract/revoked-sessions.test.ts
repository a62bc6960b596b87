/** Every engine stores the sessions that were ended, and a server on it refuses them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RecordStoreSet } from '../../src/runtimes/node/server/compose-records.js';
import { type RunningServer, type ServeOptions, startServer } from '../../src/runtimes/node/server/index.js';
import { newDatabase } from '../support/postgres-database.js';
import { openRecordsForTest, serveOptions } from '../support/serve.js';

const HOUR_MS = 3_600_000;
const engines = { SQLite: async () => undefined, PostgreSQL: () => newDatabase() };

describe.each(Object.entries(engines))('ended sessions on %s', (_name, newUrl) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sonde-sessions-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  async function started(options: ServeOptions): Promise<RunningServer> {
    const server = await startServer(options);
    onTestFinished(async () => void (await server.stop()));
    return server;
  }
  async function withStores(url: string | undefined, use: (stores: RecordStoreSet) => Promise<void>) {
    const stores = await openRecordsForTest(dataDir, { databaseUrl: url });
    try {
      await use(stores);
    } finally {
      await stores.close();
    }
  }

  test('an ended session is remembered, also if it is ended twice, until long after its expiry', async () => {
    await withStores(await newUrl(), async ({ revokedSessions: ended }) => {
      const [early, late] = [crypto.randomUUID(), crypto.randomUUID()];
      expect(await ended.has(late)).toBe(false);
      await ended.add(late, Date.now() + HOUR_MS);
      await ended.add(late, Date.now() + HOUR_MS);
      // The clock that set the expiry may be ahead.
      const expiredRecently = crypto.randomUUID();
      await ended.add(expiredRecently, Date.now() - 24 * HOUR_MS);
      await ended.add(early, Date.now() - 8 * 24 * HOUR_MS);
      await ended.add(crypto.randomUUID(), Date.now() + HOUR_MS);
      expect([await ended.has(early), await ended.has(expiredRecently), await ended.has(late)]).toEqual([
        false,
        true,
        true,
      ]);
    });
  });

  test('a copied cookie is refused after its owner has logged out, also after a restart', async () => {
    const options = serveOptions(dataDir, { auth: 'jwt', jobs: { databaseUrl: await newUrl() } });
    const first = await started(options);
    const code = new URL(first.loginUrl ?? '').hash.replace('#code=', '');
    const login = await fetch(`${first.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const asked = async (url: string) => (await fetch(`${url}/api/tenant`, { headers: { cookie } })).status;
    expect(await asked(first.url)).toBe(200);
    const headers = { cookie, origin: first.url };
    const left = await fetch(`${first.url}/api/session`, { method: 'DELETE', headers });
    expect([left.status, await asked(first.url)]).toEqual([204, 401]);
    await first.stop();
    expect(await asked((await started(options)).url)).toBe(401);
  });
});
