import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { SuiteStore } from '../../src/compare/index.js';
import { openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { postgresSuiteStore } from '../../src/stores/postgres/run-work.js';
import { sqliteSuiteStore } from '../../src/stores/sqlite/run-work.js';
import { asyncPort } from '../support/async-port.js';
import { keepingLog } from '../support/keeping-log.js';
import { newDatabase } from '../support/postgres-database.js';
import { suiteStoreContract } from './suite-store-contract.js';

describe('suites on SQLite', () => {
  suiteStoreContract(async (options) => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-suites-'));
    const database = openDatabase(join(folder, 'sonde.db'));
    return {
      store: asyncPort<SuiteStore>(sqliteSuiteStore(database, options)),
      async stop() {
        database.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
});

describe('suites on PostgreSQL', () => {
  suiteStoreContract(async (options) => {
    const database = openPostgres({ url: await newDatabase(), log: keepingLog() });
    return { store: postgresSuiteStore(database, options), stop: () => database.close() };
  });
});
