import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ComparisonStore } from '../../src/compare/index.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { sqliteComparisonStore } from '../../src/stores/sqlite/run-work.js';
import { asyncPort } from '../support/async-port.js';
import { comparisonStoreContract } from './comparison-store-contract.js';

const folderFor = () => mkdtempSync(join(tmpdir(), 'sonde-comparisons-'));

describe('SQLite', () => {
  comparisonStoreContract(async (options) => {
    const folder = folderFor();
    const database = openDatabase(join(folder, 'sonde.db'));
    return {
      store: asyncPort<ComparisonStore>(sqliteComparisonStore(database, options)),
      async stop() {
        database.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });

  test('keeps nothing in memory, and refuses an unknown version of its tables', () => {
    const folder = folderFor();
    const key = { tenantId: 'acme', comparisonId: 'k:1' };
    const database = openDatabase(join(folder, 'sonde.db'));
    try {
      sqliteComparisonStore(database, { clock: () => 7 }).createComparison({
        ...key,
        pairKey: 'k',
        leftUrl: 'https://a',
        rightUrl: 'https://b',
        optionsJson: '{}',
        explain: false,
        leftSealed: null,
        rightSealed: null,
      });
      const store = sqliteComparisonStore(database, { clock: () => 8 });
      expect(store.getComparison(key)).toMatchObject({ status: 'running', ts: 7 });
      database.run('UPDATE comparison_schema SET version = 99, readable_since = NULL', []);
      expect(() => sqliteComparisonStore(database, { clock: () => 9 })).toThrow(/schema 99/);
    } finally {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
