/** Deleting a row looks up the rows that refer to it, so every foreign key needs an index, on both databases. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { createRecordStores } from '../../src/stores/sqlite/record-stores.js';
import { newDatabase } from '../support/postgres-database.js';

test('SQLite: every foreign key has an index that starts with its column', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-keys-'));
  const database = openDatabase(join(folder, 'records.db'));
  try {
    createRecordStores(database, Date.now);
    const tables = database.all("SELECT name FROM sqlite_master WHERE type = 'table'", []);
    const keys = tables.flatMap(({ name = '' }) =>
      database
        .all(`SELECT "from" AS key FROM pragma_foreign_key_list('${name}')`, [])
        .map(({ key = '' }) => ({ table: String(name), column: String(key) })),
    );
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.filter(({ table, column }) => !isIndexed(database, table, column))).toEqual([]);
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

function isIndexed(database: OpenDatabase, table: string, column: string): boolean {
  return database.all(`SELECT name FROM pragma_index_list('${table}')`, []).some(({ name = '' }) => {
    const [first] = database.all(`SELECT name FROM pragma_index_info('${name}') WHERE seqno = 0`, []);
    return first?.['name'] === column;
  });
}

test('PostgreSQL: every foreign key has an index that starts with its column', async () => {
  const client = new pg.Client({ connectionString: await newDatabase() });
  await client.connect();
  try {
    const { rows } = await client.query(`
      SELECT c.conrelid::regclass::text AS "table", c.conname AS "key", EXISTS (
        SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND (i.indkey::int2[])[0] = c.conkey[1]
      ) AS indexed FROM pg_constraint c WHERE c.contype = 'f'`);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ indexed }) => !indexed)).toEqual([]);
  } finally {
    await client.end();
  }
});
