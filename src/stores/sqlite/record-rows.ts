/**
 * Splits a record into rows, because hosts limit the size of a row. A long record has several consecutive rows, but is
 * one record to its readers. A row whose record continues in the next row stores the complement of its checksum, which
 * is negative and so cannot be a checksum.
 */
import { checksum } from '../../streams/index.js';
import type { SqlRow } from './sql-database.js';

/** Below 1 MiB with room for the row's other columns; a Durable Object refuses rows of 2 MB. */
export const ROW_DATA_BYTES = 1_000_000;

/** A row with more data than this would overflow its page. */
export const INLINE_DATA_BYTES = 800;

/** The data of a row of `chunks`. For long data, the column has the number of a row of `long_data` instead. */
export const DATA = `CASE typeof(chunks.data) WHEN 'integer'
  THEN (SELECT long_data.data FROM long_data WHERE long_data.number = chunks.data) ELSE chunks.data END`;

/** Reads only the header of the row; the length of `DATA` would read all of the data. */
export const DATA_LENGTH = `CASE typeof(chunks.data) WHEN 'integer'
  THEN (SELECT length(long_data.data) FROM long_data WHERE long_data.number = chunks.data)
  ELSE length(chunks.data) END`;

export interface RecordPart {
  /** Where this part begins in its record. */
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
export function continues(row: SqlRow): boolean {
  return Number(row['checksum']) < 0;
}

/** The checksum that the row's bytes must have. */
export function checksumOf(row: SqlRow): number {
  const stored = Number(row['checksum']);
  return stored < 0 ? complementOf(stored) : stored;
}
