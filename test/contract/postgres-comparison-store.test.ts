import { describe } from 'vitest';
import { openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { postgresComparisonStore } from '../../src/stores/postgres/run-work.js';
import { keepingLog } from '../support/keeping-log.js';
import { newDatabase } from '../support/postgres-database.js';
import { comparisonStoreContract } from './comparison-store-contract.js';

describe('comparisons on PostgreSQL', () => {
  comparisonStoreContract(async (options) => {
    const database = openPostgres({ url: await newDatabase(), log: keepingLog() });
    return { store: postgresComparisonStore(database, options), stop: () => database.close() };
  });
});
