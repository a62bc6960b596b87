/**
 * Makes a part's tables and checks their version. The version is a row of a table of its own, since not every
 * host of this code allows a PRAGMA. Data of an older version that only lacks tables gets them and is of this version
 * from then on; any other is refused, never guessed at.
 */
import type { SqlDatabase } from './sql-database.js';

export interface Schema {
  /** What the tables hold; also the name of the version's own table. */
  readonly name: 'stream' | 'subscription' | 'proxy' | 'record' | 'comparison' | 'suite';
  readonly version: number;
  /** The oldest version whose rows mean what they mean now; this one, where it is not said. */
  readonly since?: number;
  readonly tables: readonly string[];
}

export function prepareSchema(
  database: SqlDatabase,
  { name, version, since = version, tables }: Schema,
): void {
  database.transaction(() => {
    database.run(`CREATE TABLE IF NOT EXISTS ${name}_schema (version INTEGER NOT NULL)`, []);
    for (const table of tables) database.run(table, []);
    const [row] = database.all(`SELECT version FROM ${name}_schema`, []);
    if (!row) return database.run(`INSERT INTO ${name}_schema (version) VALUES (?)`, [version]);
    const found = Number(row['version']);
    if (found > version || found < since) {
      throw new Error(`the data folder has ${name} schema ${found}, this program knows ${version}`);
    }
    if (found < version) database.run(`UPDATE ${name}_schema SET version = ?`, [version]);
  });
}
