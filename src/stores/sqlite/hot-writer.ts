/** Writes the rows of hot records and clears them away, with the data that lies apart from its row. */
import type { Position } from '../../streams/index.js';
import type { LooseData, StagedRecord } from './loose-data.js';
import { INLINE_DATA_BYTES, rowsOf } from './record-rows.js';
import type { SqlDatabase, SqlValue } from './sql-database.js';
import type { StreamRow } from './stream-row.js';

const INSERT_ROW =
  'INSERT INTO chunks (stream_id, chunk_seq, position, checksum, arrived_at, data) VALUES (?, ?, ?, ?, ?, ?)';
export const INSERT_LONG_DATA = 'INSERT INTO long_data (data) VALUES (?)';
/** Right after its data. */
const INSERT_LONG_ROW = `INSERT INTO chunks (stream_id, chunk_seq, position, checksum, arrived_at, data)
  VALUES (?, ?, ?, ?, ?, last_insert_rowid())`;

/** The column takes what it is given, and a driver may give a number as a real one. */
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
  /** Where many streams share a store: what would take long to clear away goes in small steps. */
  readonly loose: LooseData | undefined;
}

export function removeHotChunk(
  { database, loose }: HotTables,
  { life, chunk }: { readonly life: string; readonly chunk: number },
): void {
  if (loose) loose.removeRows({ life, chunk });
  else removeWhere(database, 'stream_id = ? AND chunk_seq = ?', [life, chunk]);
}

/** All of a stream. */
export function removeHotRows({ database, loose }: HotTables, life: string): void {
  if (loose) {
    loose.removeRows({ life, chunk: null });
    return;
  }
  removeWhere(database, 'stream_id = ?', [life]);
  database.run('DELETE FROM producers WHERE stream_id = ?', [life]);
}

/** From that position of its chunk on, and in all later chunks. */
export function removeHotFrom(database: SqlDatabase, life: string, { chunk, position }: Position): void {
  const later = 'stream_id = ? AND (chunk_seq > ? OR (chunk_seq = ? AND position >= ?))';
  removeWhere(database, later, [life, chunk, chunk, position]);
}

function removeWhere(database: SqlDatabase, where: string, params: readonly (string | number)[]): void {
  const numbers = `SELECT data FROM chunks WHERE ${where} AND typeof(data) = 'integer'`;
  database.run(`DELETE FROM long_data WHERE number IN (${numbers})`, params);
  database.run(`DELETE FROM chunks WHERE ${where}`, params);
}
