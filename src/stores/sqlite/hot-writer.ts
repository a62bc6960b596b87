/** Inserts and deletes the rows of hot records, including long data, which is stored in a table of its own. */
import type { Position } from '../../streams/index.js';
import type { LooseData, StagedRecord } from './loose-data.js';
import { INLINE_DATA_BYTES, rowsOf } from './record-rows.js';
import type { SqlDatabase, SqlValue } from './sql-database.js';
import type { StreamRow } from './stream-row.js';

const INSERT_ROW =
  'INSERT INTO chunks (stream_id, chunk_seq, position, checksum, arrived_at, data) VALUES (?, ?, ?, ?, ?, ?)';
export const INSERT_LONG_DATA = 'INSERT INTO long_data (data) VALUES (?)';
/** Must run directly after `INSERT_LONG_DATA`. */
const INSERT_LONG_ROW = `INSERT INTO chunks (stream_id, chunk_seq, position, checksum, arrived_at, data)
  VALUES (?, ?, ?, ?, ?, last_insert_rowid())`;

/** The column has no type affinity, and a driver may pass a number as a REAL. */
const INSERT_STAGED_ROW = `INSERT INTO chunks (stream_id, chunk_seq, position, checksum, arrived_at, data)
  VALUES (?, ?, ?, ?, ?, CAST(? AS INTEGER))`;

export function insertRecord(
  database: SqlDatabase,
  { life, tail: { chunk, position } }: StreamRow,
  { data, arrivedAt }: { readonly data: Uint8Array | StagedRecord; readonly arrivedAt: number },
): void {
  if ('parts' in data) {
    for (const { from, checksum, number } of data.parts)
      database.run(INSERT_STAGED_ROW, [life, chunk, position + from, checksum, arrivedAt, number]);
    return;
  }
  for (const { from, checksum, bytes } of rowsOf(data)) {
    const key: SqlValue[] = [life, chunk, position + from, checksum, arrivedAt];
    if (bytes.length <= INLINE_DATA_BYTES) {
      database.run(INSERT_ROW, [...key, bytes]);
    } else {
      database.run(INSERT_LONG_DATA, [bytes]);
      database.run(INSERT_LONG_ROW, key);
    }
  }
}

export interface HotTables {
  readonly database: SqlDatabase;
  /** Set if many streams share the store. Then large deletions run in small steps. */
  readonly loose: LooseData | undefined;
}

export function removeHotChunk(
  { database, loose }: HotTables,
  { life, chunk }: { readonly life: string; readonly chunk: number },
): void {
  if (loose) loose.removeRows({ life, chunk });
  else removeWhere(database, 'stream_id = ? AND chunk_seq = ?', [life, chunk]);
}

/** Deletes all hot rows of a stream. */
export function removeHotRows({ database, loose }: HotTables, life: string): void {
  if (loose) {
    loose.removeRows({ life, chunk: null });
    return;
  }
  removeWhere(database, 'stream_id = ?', [life]);
  database.run('DELETE FROM producers WHERE stream_id = ?', [life]);
}

/** Deletes hot rows from this position of its chunk on, and in all later chunks. */
export function removeHotFrom(database: SqlDatabase, life: string, { chunk, position }: Position): void {
  const later = 'stream_id = ? AND (chunk_seq > ? OR (chunk_seq = ? AND position >= ?))';
  removeWhere(database, later, [life, chunk, chunk, position]);
}

function removeWhere(database: SqlDatabase, where: string, params: readonly (string | number)[]): void {
  const numbers = `SELECT data FROM chunks WHERE ${where} AND typeof(data) = 'integer'`;
  database.run(`DELETE FROM long_data WHERE number IN (${numbers})`, params);
  database.run(`DELETE FROM chunks WHERE ${where}`, params);
}
