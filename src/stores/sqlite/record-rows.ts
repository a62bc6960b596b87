/**
 * A record as rows. No row is larger than every host of this code allows: a longer record lies in several, one
 * after another, and is still one record to its readers. The sign of a row's checksum shows whether its record
 * continues in the next row: such a row keeps the complement, which no checksum is.
 */
import { checksum } from '../../streams/index.js';
import type { SqlRow } from './sql-database.js';

/** Below 1 MiB with room for the row's other columns; a Durable Object refuses rows of 2 MB. */
export const ROW_DATA_BYTES = 1_000_000;

/** A row with more data than this would spill over its page. */
export const INLINE_DATA_BYTES = 800;

/** The data of a row of `chunks`, wherever it lies: the number of a row of `long_data` stands in its place. */
export const DATA = `CASE typeof(chunks.data) WHEN 'integer'
  THEN (SELECT long_data.data FROM long_data WHERE long_data.number = chunks.data) ELSE chunks.data END`;

/** Read from the head of its row, while the length of `DATA` would read all of it. */
export const DATA_LENGTH = `CASE typeof(chunks.data) WHEN 'integer'
  THEN (SELECT length(long_data.data) FROM long_data WHERE long_data.number = chunks.data)
  ELSE length(chunks.data) END`;

export interface RecordPart {
  /** Where it begins in its record. */
  readonly from: number;
  readonly checksum: number;
  readonly bytes: Uint8Array;
}

export function rowsOf(record: Uint8Array): readonly RecordPart[] {
  if (record.length <= ROW_DATA_BYTES) return [{ from: 0, checksum: checksum(record), bytes: record }];
  const parts: RecordPart[] = [];
  for (let from = 0; from < record.length; from += ROW_DATA_BYTES) {
    const bytes = record.subarray(from, from + ROW_DATA_BYTES);
    const own = checksum(bytes);
    parts.push({ from, checksum: from + bytes.length < record.length ? complementOf(own) : own, bytes });
  }
  return parts;
}

/** For a row whose record continues in the next one. */
export function complementOf(own: number): number {
  return -1 - own;
}

/** Whether the row's record continues in the next one. */
export function goesOn(row: SqlRow): boolean {
  return Number(row['checksum']) < 0;
}

/** The checksum that the row's bytes must have. */
export function checksumOf(row: SqlRow): number {
  const kept = Number(row['checksum']);
  return kept < 0 ? complementOf(kept) : kept;
}
