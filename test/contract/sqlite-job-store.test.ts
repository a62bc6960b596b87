import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { openRecordsHost } from '../../src/runtimes/node/records/records-host.js';
import { RECORDS_WORKER_URL } from '../support/serve.js';
import { jobStoreContract } from './job-store-contract.js';

describe('jobs on SQLite in its thread', () => {
  jobStoreContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-jobs-'));
    const host = await openRecordsHost({ path: join(folder, 'records.db'), workerUrl: RECORDS_WORKER_URL });
    return {
      jobs: host.stores.jobs,
      tenants: host.stores.tenants,
      async stop() {
        await host.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
});
