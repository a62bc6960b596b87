/** Writes the rows of hot records and clears them away, with the data that lies apart from its row. */
import type { Position } from '../../streams/index.js';
import { INLINE_DATA_BYTES, rowsOf } from './record-rows.js';
import type { SqlDatabase, SqlValue } from './sql-database.js';
import type { StreamRow } from './stream-row.js';

const INSERT_ROW =
  'INSERT INTO chunks (stream_id, chunk_seq, position, checksum, arrived_at, data) VALUES (?, ?, ?, ?, ?, ?)';
const INSERT_LONG_DATA = 'INSERT INTO long_data (data) VALUES (?)';
/** Right after its data. */
const INSERT_LONG_ROW = `INSERT INTO chunks (stream_id, chunk_seq, position, checksum, arrived_at, data)
  VALUES (?, ?, ?, ?, ?, last_insert_rowid())`;

const OF_CHUNK = 'stream_id = ? AND chunk_seq = ?';
const OF_STREAM = 'stream_id = ?';

export function insertRecord(
  database: SqlDatabase,
  { life, tail: { chunk, position } }: StreamRow,
  { data, arrivedAt }: { readonly data: Uint8Array; readonly arrivedAt: number },
): void {
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

export function removeHotChunk(database: SqlDatabase, life: string, chunk: number): void {
  removeWhere(database, OF_CHUNK, [life, chunk]);
}

export function removeHotRows(database: SqlDatabase, life: string): void {
  removeWhere(database, OF_STREAM, [life]);
}

/** From that position of its chunk on, and in all later chunks. */
export function removeHotFrom(database: SqlDatabase, life: string, { chunk, position }: Position): void {
  const later = 'stream_id = ? AND (chunk_seq > ? OR (chunk_seq = ? AND position >= ?))';
  removeWhere(database, later, [life, chunk, chunk, position]);
}

function removeWhere(database: SqlDatabase, where: string, params: readonly SqlValue[]): void {
  const numbers = `SELECT data FROM chunks WHERE ${where} AND typeof(data) = 'integer'`;
  database.run(`DELETE FROM long_data WHERE number IN (${numbers})`, params);
  database.run(`DELETE FROM chunks WHERE ${where}`, params);
}
