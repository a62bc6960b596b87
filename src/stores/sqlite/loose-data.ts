/**
 * Data that no stream refers to: the long data of appends that are still being written, in small commits that readers
 * do not see, and the rows of deleted streams and chunks, which are removed in small steps. If a process dies, the next
 * one removes what it left here. Used only on hosts where one thread writes for many streams.
 */
import { checksum } from '../../streams/index.js';
import { INSERT_LONG_DATA } from './hot-writer.js';
import { prepareSchema, type Schema } from './prepare-schema.js';
import type { RecordPart } from './record-rows.js';
import type { SqlDatabase } from './sql-database.js';

export const LOOSE_SCHEMA: Schema = {
  name: 'loose',
  upgrades: [],
  tables: [
    // `staged` is 1 while an append of this process needs the data.
    `CREATE TABLE IF NOT EXISTS loose_data (
      number INTEGER PRIMARY KEY,
      staged INTEGER NOT NULL
    )`,
    'CREATE INDEX IF NOT EXISTS loose_data_unused ON loose_data (number) WHERE staged = 0',
    // `stream_id` is a life; a `chunk_seq` of -1 means the whole stream.
    `CREATE TABLE IF NOT EXISTS loose_rows (
      stream_id TEXT NOT NULL,
      chunk_seq INTEGER NOT NULL,
      PRIMARY KEY (stream_id, chunk_seq)
    ) WITHOUT ROWID`,
  ],
};

/** Deleting a thousand rows takes about 4 ms of CPU time. */
const ROWS_AT_ONCE = 1_000;
const WHOLE_STREAM = -1;

/** Rows of a removed stream, or of a chunk that has become cold. */
export interface UnusedRows {
  readonly life: string;
  /** Null for the whole stream. */
  readonly chunk: number | null;
}

/** A part of a record that is already in the store. */
export interface StagedPart extends Omit<RecordPart, 'bytes'> {
  readonly number: number;
}

/** A record whose data is in the store but not visible yet. */
export interface StagedRecord {
  readonly length: number;
  readonly parts: readonly StagedPart[];
}

export class LooseData {
  readonly #database: SqlDatabase;
  /** False if nothing is left to remove; true if something may be. */
  #hasUnused = true;

  constructor(database: SqlDatabase) {
    this.#database = database;
    prepareSchema(database, LOOSE_SCHEMA);
    database.run('UPDATE loose_data SET staged = 0 WHERE staged = 1', []);
  }

  get hasUnused(): boolean {
    return this.#hasUnused;
  }

  /** Stores a part of a record that will be appended. */
  stage(bytes: Uint8Array): Pick<StagedPart, 'checksum' | 'number'> {
    this.#database.run(INSERT_LONG_DATA, [bytes]);
    const [row] = this.#database.all('SELECT last_insert_rowid() AS number', []);
    const number = Number(row?.['number']);
    this.#database.run('INSERT INTO loose_data (number, staged) VALUES (?, 1)', [number]);
    return { checksum: checksum(bytes), number };
  }

  /** Call it in the transaction that appends the record. */
  use({ parts }: StagedRecord): void {
    for (const { number } of parts) this.#database.run('DELETE FROM loose_data WHERE number = ?', [number]);
  }

  /** Call it if the record will not be appended. */
  release({ parts }: Pick<StagedRecord, 'parts'>): void {
    for (const { number } of parts)
      this.#database.run('UPDATE loose_data SET staged = 0 WHERE number = ?', [number]);
    this.#hasUnused = true;
  }

  /** Deletes the first rows at once, which is all rows of most streams, and schedules the others. */
  removeRows(rows: UnusedRows): void {
    if (this.#removeSome(rows)) return;
    const chunk = rows.chunk ?? WHOLE_STREAM;
    this.#database.run('INSERT OR IGNORE INTO loose_rows (stream_id, chunk_seq) VALUES (?, ?)', [
      rows.life,
      chunk,
    ]);
    this.#hasUnused = true;
  }

  /** Removes some rows, and at most `limit` pieces of long data. */
  dropUnused(limit: number): void {
    const hadRows = this.#dropRows();
    const unused = this.#database.all(SELECT_UNUSED, [limit]);
    for (const { number = null } of unused) {
      this.#database.run('DELETE FROM long_data WHERE number = ?', [number]);
      this.#database.run('DELETE FROM loose_data WHERE number = ?', [number]);
    }
    this.#hasUnused = hadRows || unused.length === limit;
  }

  /** Returns false if there were no rows to delete. */
  #dropRows(): boolean {
    const [row] = this.#database.all('SELECT * FROM loose_rows ORDER BY stream_id, chunk_seq LIMIT 1', []);
    if (!row) return false;
    const life = String(row['stream_id']);
    const chunk = Number(row['chunk_seq']);
    if (this.#removeSome({ life, chunk: chunk === WHOLE_STREAM ? null : chunk }))
      this.#database.run('DELETE FROM loose_rows WHERE stream_id = ? AND chunk_seq = ?', [life, chunk]);
    return true;
  }

  /** Returns true if no rows are left. */
  #removeSome({ life, chunk }: UnusedRows): boolean {
    return chunk === null ? this.#removeSomeOfStream(life) : this.#removeSomeOfChunk(life, chunk);
  }

  #removeSomeOfStream(life: string): boolean {
    const [next] = this.#database.all(
      `SELECT chunk_seq, position FROM chunks WHERE stream_id = ? ORDER BY chunk_seq, position LIMIT 1 OFFSET ${ROWS_AT_ONCE}`,
      [life],
    );
    if (next) {
      const before = [life, Number(next['chunk_seq']), Number(next['position'])];
      this.#removeWhere('stream_id = ? AND (chunk_seq, position) < (?, ?)', before);
      return false;
    }
    this.#removeWhere('stream_id = ?', [life]);
    return this.#removeProducers(life);
  }

  #removeSomeOfChunk(life: string, chunk: number): boolean {
    const ofChunk = 'stream_id = ? AND chunk_seq = ?';
    const [next] = this.#database.all(
      `SELECT position FROM chunks WHERE ${ofChunk} ORDER BY position LIMIT 1 OFFSET ${ROWS_AT_ONCE}`,
      [life, chunk],
    );
    if (next) this.#removeWhere(`${ofChunk} AND position < ?`, [life, chunk, Number(next['position'])]);
    else this.#removeWhere(ofChunk, [life, chunk]);
    return !next;
  }

  #removeProducers(life: string): boolean {
    const [next] = this.#database.all(
      `SELECT producer_id FROM producers WHERE stream_id = ? ORDER BY producer_id LIMIT 1 OFFSET ${ROWS_AT_ONCE}`,
      [life],
    );
    if (next) {
      const before = [life, String(next['producer_id'])];
      this.#database.run('DELETE FROM producers WHERE stream_id = ? AND producer_id < ?', before);
    } else this.#database.run('DELETE FROM producers WHERE stream_id = ?', [life]);
    return !next;
  }

  #removeWhere(where: string, params: readonly (string | number)[]): void {
    const numbers = `SELECT data FROM chunks WHERE ${where} AND typeof(data) = 'integer'`;
    const [first] = this.#database.all(`${numbers} LIMIT 1`, params);
    if (first) {
      this.#database.run(`INSERT INTO loose_data (number, staged) SELECT data, 0 FROM (${numbers})`, params);
      this.#hasUnused = true;
    }
    this.#database.run(`DELETE FROM chunks WHERE ${where}`, params);
  }
}

const SELECT_UNUSED = 'SELECT number FROM loose_data WHERE staged = 0 ORDER BY number LIMIT ?';
