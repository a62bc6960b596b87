/**
 * Reads a span of one hot chunk into one buffer and verifies every row it touches. A span may begin or end inside a
 * record (a fork can branch off anywhere), so a row is verified whole and copied in part. If one row of a record is
 * damaged, the whole record is. A read stops after a limited number of rows, because all other streams wait for the
 * store in the meantime.
 */
import { type Arrival, type ChunkSpan, checksum, type HotBytes } from '../../streams/index.js';
import { numberOrNull } from '../portable/sql-work.js';
import { checksumOf, continues, DATA, DATA_LENGTH } from './record-rows.js';
import type { SqlDatabase, SqlRow } from './sql-database.js';

/** The row that contains a position begins at or before it. */
const ROW_BEFORE = `SELECT position, checksum FROM chunks
  WHERE stream_id = ? AND chunk_seq = ? AND position <= ? ORDER BY position DESC LIMIT 1`;

const ROWS = `SELECT position, checksum, ${DATA} AS data FROM chunks
  WHERE stream_id = ? AND chunk_seq = ? AND position >= ? AND position < ? ORDER BY position LIMIT ?`;

/** More rows than any record has, so that every read makes progress, and than `seal-chunk.ts` reads at a time. */
const ROWS_MAX = 2_500;

/** More rows than a record can have after its first. */
const LONG_RECORD_ROWS = 1_000;

const ARRIVALS = `SELECT position, checksum, ${DATA_LENGTH} AS bytes, arrived_at FROM chunks
  WHERE stream_id = ? AND chunk_seq = ? AND position >= ? AND position < ? ORDER BY position LIMIT ?`;

export class HotReader {
  readonly #database: SqlDatabase;
  readonly #life: string;
  readonly #span: ChunkSpan;

  constructor(database: SqlDatabase, life: string, span: ChunkSpan) {
    this.#database = database;
    this.#life = life;
    this.#span = span;
  }

  read(): HotBytes {
    const { chunk, lo, hi } = this.#span;
    const begin = this.#recordBegin();
    const rows = this.#database.all(ROWS, [this.#life, chunk, begin, hi, ROWS_MAX]);
    const bytes = new Uint8Array(Math.max(0, Math.min(hi, endOf(rows, begin)) - lo));
    const ends: number[] = [];
    const upTo = (at: number, corruptAt: number | null): HotBytes => ({
      bytes: bytes.subarray(0, Math.max(0, at - lo)),
      ends,
      corruptAt,
    });
    let record = begin;
    let expected = begin;
    for (const row of rows) {
      const position = Number(row['position']);
      const data = dataOf(row);
      if (position !== expected || checksum(data) !== checksumOf(row)) return upTo(record, record);
      expected = position + data.length;
      const from = Math.max(lo - position, 0);
      const to = Math.min(hi - position, data.length);
      if (to > from) {
        bytes.set(data.subarray(from, to), position + from - lo);
        if (!continues(row) || position + to === hi) ends.push(position + to);
      }
      if (!continues(row)) record = expected;
    }
    if (expected >= hi) return upTo(hi, null);
    return rows.length === ROWS_MAX ? upTo(record, null) : upTo(record, record);
  }

  /** At most `max` records, clipped to the span. */
  arrivals(max: number): Arrival[] {
    const { chunk, lo, hi } = this.#span;
    const begin = this.#recordBegin();
    const found: Arrival[] = [];
    let start = begin;
    for (const row of this.#database.all(ARRIVALS, [this.#life, chunk, begin, hi, max + LONG_RECORD_ROWS])) {
      const end = Number(row['position']) + Number(row['bytes']);
      if (continues(row) && end < hi) continue;
      const at = numberOrNull(row['arrived_at']);
      if (end > lo) found.push({ start: Math.max(start, lo), end: Math.min(end, hi), at });
      if (found.length === max) break;
      start = end;
    }
    return found;
  }

  /** Where the record that contains the span's first byte begins. */
  #recordBegin(): number {
    const { chunk, lo, isPart = false } = this.#span;
    let begin = lo;
    for (let before = lo; before >= 0; before = begin - 1) {
      const [row] = this.#database.all(ROW_BEFORE, [this.#life, chunk, before]);
      if (!row || (before < lo && !continues(row))) break;
      begin = Number(row['position']);
      if (isPart) break;
    }
    return begin;
  }
}

function endOf(rows: readonly SqlRow[], begin: number): number {
  const last = rows.at(-1);
  return last ? Number(last['position']) + dataOf(last).length : begin;
}

function dataOf(row: SqlRow): Uint8Array {
  const data = row['data'];
  return data instanceof Uint8Array ? data : new Uint8Array(0);
}
