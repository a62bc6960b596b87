/**
 * Makes a part's tables and checks their version. The version is a row of a table of its own, since not every
 * host of this code allows a PRAGMA; data of another version is refused, never guessed at.
 */
import type { SqlDatabase } from './sql-database.js';

export interface Schema {
  /** What the tables hold; also the name of the version's own table. */
  readonly name: 'stream' | 'subscription' | 'proxy' | 'record' | 'comparison' | 'suite';
  readonly version: number;
  readonly tables: readonly string[];
}

export function prepareSchema(database: SqlDatabase, { name, version, tables }: Schema): void {
  database.transaction(() => {
    database.run(`CREATE TABLE IF NOT EXISTS ${name}_schema (version INTEGER NOT NULL)`, []);
    for (const table of tables) database.run(table, []);
    const [row] = database.all(`SELECT version FROM ${name}_schema`, []);
    if (!row) return database.run(`INSERT INTO ${name}_schema (version) VALUES (?)`, [version]);
    if (row['version'] !== version) {
      throw new Error(`the data folder has ${name} schema ${row['version']}, this program knows ${version}`);
    }
  });
}
