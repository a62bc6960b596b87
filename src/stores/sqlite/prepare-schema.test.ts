import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import { prepareSchema, refuseUnknown, type Schema } from './prepare-schema.js';

const TABLE = 'CREATE TABLE IF NOT EXISTS things (name TEXT)';
const ADDED = 'ALTER TABLE things ADD COLUMN size INTEGER';

const schema = (version: number, more: Partial<Schema> = {}): Schema => ({
  name: 'suite',
  tables: [TABLE],
  upgrades: [[ADDED], ["UPDATE things SET name = 'renamed'"]].slice(0, version - 1),
  ...more,
});

function open() {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  return database;
}

test('uses data of a newer version unchanged if that version declared it readable', () => {
  const database = open();
  prepareSchema(database, schema(1));
  prepareSchema(database, schema(2, { readableSince: 1 }));
  prepareSchema(database, schema(1));
  expect(database.all('SELECT * FROM suite_schema', [])).toEqual([{ version: 2, readable_since: 1 }]);
  // The newer version finds its data again after the older one has written.
  database.run("INSERT INTO things (name) VALUES ('by the older version')", []);
  prepareSchema(database, schema(2, { readableSince: 1 }));
  expect(database.all('SELECT * FROM things', [])).toEqual([{ name: 'by the older version', size: null }]);
});

test('refuses data of a newer version that did not declare it readable', () => {
  const database = open();
  prepareSchema(database, schema(1));
  prepareSchema(database, schema(2));
  expect(() => prepareSchema(database, schema(1))).toThrow(
    'suite schema 2, and this version of Sonde supports 1',
  );
});

test('upgrades data version by version, once', () => {
  const database = open();
  prepareSchema(database, schema(1));
  database.run("INSERT INTO things (name) VALUES ('first')", []);
  prepareSchema(database, schema(3));
  database.run("INSERT INTO things (name, size) VALUES ('second', 2)", []);
  prepareSchema(database, schema(3));
  expect(database.all('SELECT * FROM things', [])).toEqual([
    { name: 'renamed', size: null },
    { name: 'second', size: 2 },
  ]);
  expect(database.all('SELECT * FROM suite_schema', [])).toEqual([{ version: 3, readable_since: null }]);
});

test.each([1, 4])('refuses version %d from before the first release and says what to do', (version) => {
  const database = open();
  database.run('CREATE TABLE suite_schema (version INTEGER NOT NULL)', []);
  database.run('INSERT INTO suite_schema (version) VALUES (?)', [version]);
  expect(() => prepareSchema(database, schema(1))).toThrow(
    expect.objectContaining({
      code: 'DATA_VERSION_UNKNOWN',
      message: expect.stringContaining('Run the version that wrote it, or start with an empty data folder'),
    }),
  );
  expect(database.all('SELECT * FROM suite_schema', [])).toEqual([{ version }]);
});

test('creates nothing in data of a newer version', () => {
  const database = open();
  prepareSchema(database, schema(2, { readableSince: 1 }));
  const more = 'CREATE TABLE IF NOT EXISTS more (name TEXT)';
  prepareSchema(database, schema(1, { tables: [TABLE, more], indexes: ['CREATE INDEX i ON things (name)'] }));
  expect(database.all("SELECT name FROM sqlite_master WHERE name IN ('more', 'i')", [])).toEqual([]);
});

test('checks several schemas without creating any', () => {
  const database = open();
  const other = schema(1, { name: 'proxy' });
  refuseUnknown(database, [schema(1), other]);
  prepareSchema(database, schema(2));
  expect(() => refuseUnknown(database, [other, schema(1)])).toThrow('suite schema 2');
  expect(database.all("SELECT name FROM sqlite_master WHERE name = 'proxy_schema'", [])).toEqual([]);
});
