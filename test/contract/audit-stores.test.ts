import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { RecordStoreSet } from '../../src/runtimes/node/server/compose-records.js';
import { newDatabase } from '../support/postgres-database.js';
import { openRecordsForTest } from '../support/serve.js';
import { auditStoreContract } from './audit-store-contract.js';

const engines = { SQLite: async () => undefined, PostgreSQL: () => newDatabase() };

describe.each(Object.entries(engines))('audits on %s', (_name, newUrl) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sonde-audits-'));
  let stores: RecordStoreSet;

  beforeAll(async () => {
    const databaseUrl = await newUrl();
    stores = await openRecordsForTest(dataDir, { databaseUrl });
  });
  afterAll(async () => {
    await stores.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  auditStoreContract(() => stores);
});
