/**
 * Long data that no record refers to: of appends that are still being written, in small commits that nobody sees, and of
 * records that are gone and cleared away in small steps. Whatever a process leaves here when it dies is cleared away by
 * the next one. Only for hosts where one thread writes for many streams.
 */
import { checksum } from '../../streams/index.js';
import { INSERT_LONG_DATA } from './hot-writer.js';
import { prepareSchema, type Schema } from './prepare-schema.js';
import type { RecordPart } from './record-rows.js';
import type { SqlDatabase } from './sql-database.js';

export const LOOSE_SCHEMA: Schema = {
  name: 'loose',
  version: 1,
  tables: [
    // `staged`: an append of this process needs it.
    `CREATE TABLE IF NOT EXISTS loose_data (
      number INTEGER PRIMARY KEY,
      staged INTEGER NOT NULL
    )`,
    'CREATE INDEX IF NOT EXISTS loose_data_unused ON loose_data (number) WHERE staged = 0',
  ],
};

/** A part of a record that lies in the store already. */
export interface StagedPart extends Omit<RecordPart, 'bytes'> {
  readonly number: number;
}

/** A record whose data is in the store, but for what makes it visible. */
export interface StagedRecord {
  readonly length: number;
  readonly parts: readonly StagedPart[];
}

export class LooseData {
  readonly #database: SqlDatabase;
  /** False where nothing waits to be cleared away; true where it may. */
  #hasUnused = true;

  constructor(database: SqlDatabase) {
    this.#database = database;
    prepareSchema(database, LOOSE_SCHEMA);
    database.run('UPDATE loose_data SET staged = 0 WHERE staged = 1', []);
  }

  get hasUnused(): boolean {
    return this.#hasUnused;
  }

  /** Part of a record that will be appended. */
  stage(bytes: Uint8Array): Pick<StagedPart, 'checksum' | 'number'> {
    this.#database.run(INSERT_LONG_DATA, [bytes]);
    const [row] = this.#database.all('SELECT last_insert_rowid() AS number', []);
    const number = Number(row?.['number']);
    this.#database.run('INSERT INTO loose_data (number, staged) VALUES (?, 1)', [number]);
    return { checksum: checksum(bytes), number };
  }

  /** The record was appended, in this transaction. */
  use({ parts }: StagedRecord): void {
    for (const { number } of parts) this.#database.run('DELETE FROM loose_data WHERE number = ?', [number]);
  }

  /** The record will not be appended. */
  release({ parts }: Pick<StagedRecord, 'parts'>): void {
    for (const { number } of parts)
      this.#database.run('UPDATE loose_data SET staged = 0 WHERE number = ?', [number]);
    this.#hasUnused = true;
  }

  /** What the query selects is referred to no longer. */
  letGo(numbers: string, params: readonly (string | number)[]): void {
    this.#database.run(`INSERT INTO loose_data (number, staged) SELECT data, 0 FROM (${numbers})`, params);
    this.#hasUnused = true;
  }

  /** Clears away at most so many. */
  dropUnused(limit: number): void {
    const unused = this.#database.all(SELECT_UNUSED, [limit]);
    for (const { number = null } of unused) {
      this.#database.run('DELETE FROM long_data WHERE number = ?', [number]);
      this.#database.run('DELETE FROM loose_data WHERE number = ?', [number]);
    }
    this.#hasUnused = unused.length === limit;
  }
}

const SELECT_UNUSED = 'SELECT number FROM loose_data WHERE staged = 0 ORDER BY number LIMIT ?';
