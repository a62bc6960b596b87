import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openRecordStores } from '../../src/runtimes/node/server/compose-records.js';
import { uuidV7 } from '../../src/uuid.js';
import { keepingLog } from '../support/keeping-log.js';
import { newDatabase } from '../support/postgres-database.js';
import { JOB_OPTIONS } from '../support/serve.js';
import { idempotencyContract } from './idempotency-store-contract.js';

const engines = { SQLite: async () => undefined, PostgreSQL: () => newDatabase() };

describe.each(Object.entries(engines))('idempotency keys on %s', (_name, newUrl) => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-idempotency-'));
  let stores: Awaited<ReturnType<typeof openRecordStores>>;

  beforeAll(async () => {
    const databaseUrl = await newUrl();
    const options = { ...JOB_OPTIONS, ...(databaseUrl && { databaseUrl }) };
    stores = await openRecordStores({ ...options, dataDir: folder, log: keepingLog() });
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
