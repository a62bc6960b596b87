/**
 * Reads a span of one hot chunk into one buffer and verifies every record it touches. A span may begin or end
 * inside a record (a fork can part anywhere), so a record is verified whole and copied in part.
 */
import { type ChunkSpan, checksum, type HotBytes } from '../../streams/index.js';
import type { SqlDatabase, SqlRow } from './sql-database.js';

/** The record that holds `lo` begins at or before it. */
const FIRST_RECORD = `SELECT position FROM chunks
  WHERE stream_id = ? AND chunk_seq = ? AND position <= ? ORDER BY position DESC LIMIT 1`;

const RECORDS = `SELECT position, checksum, data FROM chunks
  WHERE stream_id = ? AND chunk_seq = ? AND position >= ? AND position < ? ORDER BY position`;

export class HotReader {
  readonly #database: SqlDatabase;
  readonly #id: string;
  readonly #span: ChunkSpan;

  constructor(database: SqlDatabase, id: string, span: ChunkSpan) {
    this.#database = database;
    this.#id = id;
    this.#span = span;
  }

  read(): HotBytes {
    const { chunk, lo, hi } = this.#span;
    const [first] = this.#database.all(FIRST_RECORD, [this.#id, chunk, lo]);
    const rows = this.#database.all(RECORDS, [this.#id, chunk, Number(first?.['position'] ?? lo), hi]);
    const bytes = new Uint8Array(Math.max(0, hi - lo));
    const ends: number[] = [];
    let expected: number | undefined;
    for (const row of rows) {
      const position = Number(row['position']);
      const data = dataOf(row);
      if (data.length === 0 || (expected ?? position) !== position || checksum(data) !== row['checksum']) {
        return { bytes: bytes.subarray(0, Math.max(0, position - lo)), ends, corruptAt: position };
      }
      expected = position + data.length;
      const from = Math.max(lo - position, 0);
      const to = Math.min(hi - position, data.length);
      if (to > from) {
        bytes.set(data.subarray(from, to), position + from - lo);
        ends.push(position + to);
      }
    }
    const reached = Math.min(expected ?? lo, hi);
    if (reached < hi)
      return { bytes: bytes.subarray(0, Math.max(0, reached - lo)), ends, corruptAt: reached };
    return { bytes, ends, corruptAt: null };
  }
}

function dataOf(row: SqlRow): Uint8Array {
  const data = row['data'];
  return data instanceof Uint8Array ? data : new Uint8Array(0);
}
