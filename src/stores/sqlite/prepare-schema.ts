/**
 * Creates a part's tables and checks their version. The version is a row of a table of its own, since not every host of
 * this code allows a PRAGMA. Data of an older version gets the tables and columns that it lacks. Data of a newer version
 * is used as it is if its writer declared this version able to, so that an upgrade can be rolled back. Any other is
 * refused, never guessed at, and left as it was.
 */
import { SondeError } from '../../errors.js';
import type { SqlDatabase } from './sql-database.js';

export interface Schema {
  /** What the tables hold; also the name of the version's own table. */
  readonly name: 'stream' | 'loose' | 'subscription' | 'proxy' | 'record' | 'comparison' | 'suite';
  readonly version: number;
  /** The oldest version with compatible rows; defaults to this version. */
  readonly since?: number;
  /** The oldest version whose code can read and write data of this one; none but this one if it is not given. */
  readonly readableSince?: number;
  readonly tables: readonly string[];
  /** By version: what older data lacks beside whole tables. */
  readonly upgrades?: Readonly<Record<number, readonly string[]>>;
  /** Made after the upgrades: they may name columns that older data lacks. */
  readonly indexes?: readonly string[];
}

export function prepareSchema(database: SqlDatabase, schema: Schema): void {
  const { name, version, tables, indexes = [], readableSince = null } = schema;
  database.transaction(() => {
    const found = versionFound(database, schema);
    if (found !== undefined && found > version) return;
    for (const table of [versionTable(name), ...tables]) database.run(table, []);
    if (found === undefined) {
      const insert = `INSERT INTO ${name}_schema (version, readable_since) VALUES (?, ?)`;
      database.run(insert, [version, readableSince]);
    } else if (found < version) {
      upgrade(database, schema, found);
    }
    for (const index of indexes) database.run(index, []);
  });
}

function upgrade(database: SqlDatabase, schema: Schema, found: number): void {
  const { name, version, upgrades = {}, readableSince = null } = schema;
  for (let next = found + 1; next <= version; next++) {
    for (const statement of upgrades[next] ?? []) database.run(statement, []);
  }
  declareReadable(database, name);
  database.run(`UPDATE ${name}_schema SET version = ?, readable_since = ?`, [version, readableSince]);
}

function versionTable(name: Schema['name']): string {
  return `CREATE TABLE IF NOT EXISTS ${name}_schema (version INTEGER NOT NULL, readable_since INTEGER)`;
}

/** A table from before the column existed. */
function declareReadable(database: SqlDatabase, name: Schema['name']): void {
  const columns = database.all(`SELECT * FROM ${name}_schema`, [])[0] ?? {};
  if (!('readable_since' in columns))
    database.run(`ALTER TABLE ${name}_schema ADD COLUMN readable_since INTEGER`, []);
}

/** Before anything is written to a file that has tables of several parts: whether all of them can be taken over. */
export function refuseUnknown(database: SqlDatabase, schemas: readonly Schema[]): void {
  for (const schema of schemas) versionFound(database, schema);
}

/** Undefined where there is none yet. */
function versionFound(database: SqlDatabase, { name, version, since = version }: Schema): number | undefined {
  const [table] = database.all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [
    `${name}_schema`,
  ]);
  const [row] = table ? database.all(`SELECT * FROM ${name}_schema`, []) : [];
  if (!row) return undefined;
  const found = Number(row['version']);
  const readableSince = row['readable_since'] ?? found;
  if (found >= since && (found <= version || version >= Number(readableSince))) return found;
  const writer =
    found > version ? 'it was written by a newer version; upgrade Sonde' : 'it is too old to be migrated';
  throw new SondeError(
    'DATA_VERSION_UNKNOWN',
    `the data folder has ${name} schema ${found}, but this version supports ${version}: ${writer}`,
    { details: { schema: name, found, known: version } },
  );
}
