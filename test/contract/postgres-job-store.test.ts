import { describe } from 'vitest';
import { openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { PostgresJobStore } from '../../src/stores/postgres/postgres-job-store.js';
import { PostgresTenantStore } from '../../src/stores/postgres/postgres-tenant-store.js';
import { keepingLog } from '../support/keeping-log.js';
import { newDatabase } from '../support/postgres-database.js';
import { jobStoreContract } from './job-store-contract.js';

describe('jobs on PostgreSQL', () => {
  jobStoreContract(async () => {
    const database = openPostgres({ url: await newDatabase(), log: keepingLog() });
    return {
      jobs: new PostgresJobStore(database),
      tenants: new PostgresTenantStore(database),
      stop: () => database.close(),
    };
  });
});
