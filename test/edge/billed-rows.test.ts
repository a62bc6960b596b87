/** The counts of the simulation (test/simulation) match what workerd bills. */
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CountedStorage } from '../simulation/counted-storage.js';
import { startEdgeFixture } from '../support/edge-fixture.js';

type Statement = readonly [sql: string, ...params: (string | number | null)[]];

/** Every kind of write that the product makes, on tables of each shape that it has. */
const STATEMENTS: readonly Statement[] = [
  ['CREATE TABLE keyed (a TEXT PRIMARY KEY, b INTEGER, c TEXT) WITHOUT ROWID'],
  ['CREATE TABLE IF NOT EXISTS keyed (a TEXT PRIMARY KEY)'],
  ['CREATE INDEX keyed_b ON keyed (b)'],
  ['CREATE INDEX keyed_open ON keyed (c) WHERE b = 0'],
  ['CREATE TABLE numbered (n INTEGER PRIMARY KEY, data BLOB)'],
  ['CREATE TABLE single (one INTEGER PRIMARY KEY CHECK (one = 1), shown TEXT NOT NULL)'],
  ['CREATE TABLE bare (a TEXT PRIMARY KEY, b INTEGER) WITHOUT ROWID'],
  ['INSERT INTO bare (a, b) VALUES (?, ?)', 'x', 1],
  ['UPDATE bare SET b = ? WHERE a = ?', 2, 'x'],
  ['INSERT OR IGNORE INTO bare (a, b) VALUES (?, ?)', 'x', 1],
  ['INSERT INTO keyed (a, b, c) VALUES (?, ?, ?)', 'x', 1, 'c'],
  ['INSERT INTO keyed (a, b, c) VALUES (?, ?, ?)', 'y', 0, 'c'],
  ['UPDATE keyed SET c = ? WHERE a = ?', 'd', 'x'],
  ['UPDATE keyed SET c = ? WHERE a = ?', 'd', 'y'],
  ['UPDATE keyed SET b = ? WHERE a = ?', 1, 'y'],
  ['UPDATE keyed SET b = ? WHERE a = ?', 5, 'nobody'],
  ['INSERT OR REPLACE INTO keyed (a, b, c) VALUES (?, ?, ?)', 'x', 2, 'e'],
  ['INSERT INTO keyed (a, b, c) VALUES (?, ?, ?) ON CONFLICT (a) DO UPDATE SET b = excluded.b', 'x', 3, 'e'],
  ['INSERT INTO numbered (data) VALUES (?)', 'bytes'],
  ['INSERT INTO single (one, shown) VALUES (1, ?)', 'a'],
  [
    'INSERT INTO single (one, shown) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET shown = excluded.shown',
    'b',
  ],
  ['CREATE TABLE counted (a TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID'],
  [
    `CREATE TRIGGER new_keyed AFTER INSERT ON keyed BEGIN
      INSERT OR IGNORE INTO counted (a, n) VALUES ('all', 0); UPDATE counted SET n = n + 1 WHERE a = 'all'; END`,
  ],
  ['INSERT INTO keyed (a, b, c) VALUES (?, ?, ?)', 'z', 9, 'c'],
  ['SELECT * FROM keyed'],
  ['DELETE FROM keyed WHERE a = ?', 'x'],
  ['DELETE FROM keyed WHERE a = ?', 'nobody'],
  ['DELETE FROM numbered'],
  ['ALTER TABLE bare ADD COLUMN c TEXT'],
];

let platform: Miniflare;
beforeAll(async () => {
  platform = await startEdgeFixture('billed-rows', { objects: { ROWS: 'BilledRows' } });
});
afterAll(() => platform.dispose());

test('the simulation counts written rows like the platform', async () => {
  const namespace = await platform.getDurableObjectNamespace('ROWS');
  const object = namespace.get(namespace.idFromName('rows')) as unknown as {
    run(statements: readonly Statement[]): Promise<number[]>;
  };
  const billed = await object.run(STATEMENTS);
  const counts = { rowsWritten: 0, rowsRead: 0, alarmsSet: 0 };
  const storage = new CountedStorage(counts, () => {});
  const counted = STATEMENTS.map(([sql, ...params]) => {
    const before = counts.rowsWritten;
    storage.sql.exec(sql, ...params);
    return counts.rowsWritten - before;
  });
  storage.close();
  const named = (rows: readonly number[]) => STATEMENTS.map(([sql], at) => `${rows[at]} ${sql}`);
  expect(named(counted)).toEqual(named(billed));
});
