/**
 * Creates the tables of a schema and checks their version. The version is stored in a table of its own, because not
 * every host allows a PRAGMA. Data of an older version is upgraded. Data of a newer version is used unchanged if that
 * version declared this one compatible, so that an upgrade can be rolled back. Any other data is refused and left
 * unchanged.
 *
 * A change to a table, an index or a trigger needs a new version, because existing data keeps what it has.
 */
import { SondeError } from '../../errors.js';
import type { SqlDatabase } from './sql-database.js';

export interface Schema {
  /** What the tables contain; also names the table that stores the version. */
  readonly name: 'stream' | 'loose' | 'subscription' | 'proxy' | 'clock' | 'record' | 'comparison' | 'suite';
  readonly tables: readonly string[];
  /** The first upgrade makes version 1 to version 2, and so on. Tables and indexes are created in any case. */
  readonly upgrades: readonly (readonly string[])[];
  /** The oldest version whose code can read and write data of this one; defaults to this version. */
  readonly readableSince?: number;
  /** Created after the upgrades, because they may use columns that older data lacks. */
  readonly indexes?: readonly string[];
}

export function versionOf({ upgrades }: Pick<Schema, 'upgrades'>): number {
  return 1 + upgrades.length;
}

export function prepareSchema(database: SqlDatabase, schema: Schema): void {
  const { name, tables, upgrades, indexes = [], readableSince = null } = schema;
  const version = versionOf(schema);
  database.transaction(() => {
    const found = readVersion(database, schema);
    if (found !== undefined && found > version) return;
    for (const table of [versionTable(name), ...tables]) database.run(table, []);
    const ofVersion = [version, readableSince];
    if (found === undefined) {
      database.run(`INSERT INTO ${name}_schema (version, readable_since) VALUES (?, ?)`, ofVersion);
    } else if (found < version) {
      for (const statement of upgrades.slice(found - 1).flat()) database.run(statement, []);
      database.run(`UPDATE ${name}_schema SET version = ?, readable_since = ?`, ofVersion);
    }
    for (const index of indexes) database.run(index, []);
  });
}

function versionTable(name: Schema['name']): string {
  return `CREATE TABLE IF NOT EXISTS ${name}_schema (version INTEGER NOT NULL, readable_since INTEGER)`;
}

/** Throws if one of the schemas cannot be used. Call it before writing to a file that contains several schemas. */
export function refuseUnknown(database: SqlDatabase, schemas: readonly Schema[]): void {
  for (const schema of schemas) readVersion(database, schema);
}

/** Returns undefined if the schema does not exist yet. */
function readVersion(database: SqlDatabase, schema: Schema): number | undefined {
  const { name } = schema;
  const known = versionOf(schema);
  const [table] = database.all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [
    `${name}_schema`,
  ]);
  const [row] = table ? database.all(`SELECT * FROM ${name}_schema`, []) : [];
  if (!row) return undefined;
  const found = Number(row['version']);
  // Before the first release there were other versions 1, whose tables did not have this column.
  const isReleased = 'readable_since' in row;
  if (isReleased && found >= 1 && known >= Number(row['readable_since'] ?? found)) return found;
  throw new SondeError(
    'DATA_VERSION_UNKNOWN',
    `the data has ${name} schema ${found}, and this version of Sonde supports ${known}: it was written by a newer ` +
      'version, or by one from before the first release. Nothing was changed. Run the version that wrote it, or start ' +
      'with an empty data folder',
    { details: { schema: name, found, known } },
  );
}
