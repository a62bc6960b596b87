/** A configuration that is refused must leave no trace: migrations cannot be undone. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import type { ServeOptions } from '../../src/runtimes/node/server/index.js';
import { newDatabase } from '../support/postgres-database.js';
import { JOB_OPTIONS, serveForTest } from '../support/serve.js';

const folder = mkdtempSync(join(tmpdir(), 'sonde-refused-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const REFUSED: readonly (readonly [string, Partial<ServeOptions>])[] = [
  [
    'a route without a credential',
    {
      auth: 'jwt',
      proxy: { allow: [], routes: { up: { url: 'https://a.example' } }, env: () => undefined },
    },
  ],
  ['a wrong pattern of the allowlist', { proxy: { allow: ['not a url'], routes: {}, env: () => undefined } }],
  [
    'a JWKS beside a secret',
    { auth: 'jwt', jwt: { secret: 'x'.repeat(40), loadJwks: async () => ({ keys: [] }) } },
  ],
];

test.each(REFUSED)('%s creates no database', async (_name, options) => {
  const databaseUrl = await newDatabase();
  const jobs = { ...JOB_OPTIONS, databaseUrl };
  await expect(serveForTest({ ...options, jobs, dataDir: folder })).rejects.toMatchObject({
    code: 'CONFIG_INVALID_VALUE',
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    "SELECT count(*)::int AS tables FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
  );
  await client.end();
  expect(rows).toEqual([{ tables: 0 }]);
  await expect(serveForTest({ ...options, dataDir: folder })).rejects.toMatchObject({
    code: 'CONFIG_INVALID_VALUE',
  });
  const stores = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.db')) : [];
  expect(stores).toEqual([]);
});
