/**
 * Creates the tables of a schema and checks their version. The version is stored in a table of its own, because not
 * every host allows a PRAGMA. Data of an older version gets the missing tables and columns. Data of a newer version is
 * used unchanged if that version declared this one compatible, so that an upgrade can be rolled back. Any other data is
 * refused and left unchanged.
 */
import { SondeError } from '../../errors.js';
import type { SqlDatabase } from './sql-database.js';

export interface Schema {
  /** What the tables contain; also names the table that stores the version. */
  readonly name: 'stream' | 'loose' | 'subscription' | 'proxy' | 'clock' | 'record' | 'comparison' | 'suite';
  readonly version: number;
  /** The oldest version with compatible rows; defaults to this version. */
  readonly since?: number;
  /** The oldest version whose code can read and write data of this one; defaults to this version. */
  readonly readableSince?: number;
  readonly tables: readonly string[];
  /** By version: changes to older data, apart from new tables. */
  readonly upgrades?: Readonly<Record<number, readonly string[]>>;
  /** Created after the upgrades, because they may use columns that older data lacks. */
  readonly indexes?: readonly string[];
}

export function prepareSchema(database: SqlDatabase, schema: Schema): void {
  const { name, version, tables, indexes = [], readableSince = null } = schema;
  database.transaction(() => {
    const found = readVersion(database, schema);
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
  addReadableSince(database, name);
  database.run(`UPDATE ${name}_schema SET version = ?, readable_since = ?`, [version, readableSince]);
}

function versionTable(name: Schema['name']): string {
  return `CREATE TABLE IF NOT EXISTS ${name}_schema (version INTEGER NOT NULL, readable_since INTEGER)`;
}

/** Adds the column to a table from before it existed. */
function addReadableSince(database: SqlDatabase, name: Schema['name']): void {
  const columns = database.all(`SELECT * FROM ${name}_schema`, [])[0] ?? {};
  if (!('readable_since' in columns))
    database.run(`ALTER TABLE ${name}_schema ADD COLUMN readable_since INTEGER`, []);
}

/** Throws if one of the schemas cannot be used. Call it before writing to a file that contains several schemas. */
export function refuseUnknown(database: SqlDatabase, schemas: readonly Schema[]): void {
  for (const schema of schemas) readVersion(database, schema);
}

/** Returns undefined if the schema does not exist yet. */
function readVersion(database: SqlDatabase, { name, version, since = version }: Schema): number | undefined {
  const [table] = database.all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [
    `${name}_schema`,
  ]);
  const [row] = table ? database.all(`SELECT * FROM ${name}_schema`, []) : [];
  if (!row) return undefined;
  const found = Number(row['version']);
  const readableSince = row['readable_since'] ?? found;
  if (found >= since && version >= Number(readableSince)) return found;
  const writer =
    found > version ? 'it was written by a newer version; upgrade Sonde' : 'it is too old to be migrated';
  throw new SondeError(
    'DATA_VERSION_UNKNOWN',
    `the data folder has ${name} schema ${found}, but this version supports ${version}: ${writer}`,
    { details: { schema: name, found, known: version } },
  );
}
