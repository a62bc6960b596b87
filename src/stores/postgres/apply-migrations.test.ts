import { expect, test } from 'vitest';
import { scriptedPostgres } from '../../../test/support/scripted-postgres.js';
import { hashParts } from '../../net/index.js';
import { applyMigrations } from './apply-migrations.js';

const LEDGER = 'SELECT name, compatible_since FROM sonde_migrations ORDER BY name';
const LOCK = 'SELECT pg_advisory_xact_lock(7061747)';
const FIRST = { name: '0001_a', sql: 'CREATE a' };
const SECOND = { name: '0002_b', sql: '-- compatible since 0001\nCREATE b' };

test('each migration is applied once, in the order of names, under a lock and without a time limit', async () => {
  const { database, sent, transactions } = scriptedPostgres({});
  expect(await applyMigrations(database, [SECOND, FIRST])).toEqual(['0001_a', '0002_b']);
  const names = sent.map(({ name }) => name.split('\n')[0]);
  const one = (text: string) => [
    ...[LOCK, 'CREATE TABLE IF NOT EXISTS sonde_migrations (', 'select_migration', text, 'insert_migration'],
  ];
  const second = '-- compatible since 0001';
  expect(names).toEqual(['check session', ...one('CREATE a'), ...one(second), LEDGER]);
  expect(sent.filter(({ name }) => name === 'insert_migration').map(({ params }) => params)).toEqual([
    ['0001_a', hashParts([FIRST.sql]), null],
    ['0002_b', hashParts([SECOND.sql]), '0001'],
  ]);
  expect(transactions).toEqual([{ statementMs: 0 }, { statementMs: 0 }, undefined]);
});

test('a migration that was applied is not applied again', async () => {
  const applied = [{ sha256: hashParts([FIRST.sql]) }];
  const { database, names } = scriptedPostgres({ select_migration: [applied] });
  expect(await applyMigrations(database, [FIRST])).toEqual([]);
  expect(names()).not.toContain(FIRST.sql);
});

test('a migration that was changed after it was applied is refused', async () => {
  const { database, names } = scriptedPostgres({ select_migration: [[{ sha256: 'another' }]] });
  await expect(applyMigrations(database, [FIRST])).rejects.toThrow('the migration 0001_a was applied with');
  expect(names()).not.toContain(FIRST.sql);
});

test.each([
  ['in the middle of a line', 'x -- compatible since 0001'],
  ['with more behind', '-- compatible since 00012'],
])('a declaration %s does not count', async (_name, sql) => {
  const { database, paramsOf } = scriptedPostgres({});
  await applyMigrations(database, [{ name: '0003_c', sql }]);
  expect(paramsOf('insert_migration')[0]?.[2]).toBeNull();
});

const LEDGERS: readonly (readonly [string, compatible: string | null, refused: boolean])[] = [
  ['without a declaration', null, true],
  ['that is compatible with the newest known one', '0002_b', false],
  ['that is compatible with an earlier one', '0001', false],
  ['that is compatible only with a later one', '0002_c', true],
];

test.each(LEDGERS)('a database with an unknown migration %s', async (_name, compatible_since, refused) => {
  const rows = [
    { name: '0001_a', compatible_since: null },
    { name: '0002_b', compatible_since: '0009' },
    { name: '0003_x', compatible_since },
  ];
  const { database } = scriptedPostgres({ [LEDGER]: [rows] });
  const work = applyMigrations(database, [FIRST, SECOND]);
  if (refused) await expect(work).rejects.toThrow('the database has 0003_x, which is newer');
  else expect(await work).toHaveLength(2);
});
