import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { RecordStoreSet } from '../../src/runtimes/node/server/compose-records.js';
import { newDatabase } from '../support/postgres-database.js';
import { openRecordsForTest } from '../support/serve.js';
import { runRowContract } from './run-row-contract.js';
import { tenantStoreContract } from './tenant-store-contract.js';
import { webhookStoreContract } from './webhook-store-contract.js';

const engines = { SQLite: async () => undefined, PostgreSQL: () => newDatabase() };

describe.each(Object.entries(engines))('on %s', (_name, newUrl) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sonde-record-stores-'));
  let stores: RecordStoreSet;

  beforeAll(async () => {
    const databaseUrl = await newUrl();
    stores = await openRecordsForTest(dataDir, { databaseUrl });
  });
  afterAll(async () => {
    await stores.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  describe('webhooks', () => webhookStoreContract(() => stores));
  describe('tenants', () => tenantStoreContract(() => stores.tenants));
  describe('runs', () => runRowContract(() => stores));
});
