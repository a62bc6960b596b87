import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { uuidV7 } from '../../src/uuid.js';
import { newDatabase } from '../support/postgres-database.js';
import { openRecordsForTest } from '../support/serve.js';
import { idempotencyContract } from './idempotency-store-contract.js';

const engines = { SQLite: async () => undefined, PostgreSQL: () => newDatabase() };

describe.each(Object.entries(engines))('idempotency keys on %s', (_name, newUrl) => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-idempotency-'));
  let stores: Awaited<ReturnType<typeof openRecordsForTest>>;

  beforeAll(async () => {
    const databaseUrl = await newUrl();
    stores = await openRecordsForTest(folder, { databaseUrl });
  });
  afterAll(async () => {
    await stores.close();
    rmSync(folder, { recursive: true, force: true });
  });

  idempotencyContract(() => ({
    store: stores.idempotency,
    async newTenant() {
      const slug = `t-${crypto.randomUUID()}`;
      const tenant = await stores.tenants.create({ id: uuidV7(Date.now()), slug, name: slug, quotas: {} });
      return tenant?.id ?? '';
    },
  }));
});
