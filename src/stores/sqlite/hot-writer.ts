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

const OF_CHUNK = 'stream_id = ? AND chunk_seq = ?';
const OF_STREAM = 'stream_id = ?';

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

/** Where there is a place for it, long data is cleared away later: freeing megabytes takes longer than a commit. */
export function removeHotChunk(
  { database, loose }: HotTables,
  { life, chunk }: { readonly life: string; readonly chunk: number },
): void {
  removeWhere({ database, loose }, OF_CHUNK, [life, chunk]);
}

export function removeHotRows(tables: HotTables, life: string): void {
  removeWhere(tables, OF_STREAM, [life]);
}

export interface HotTables {
  readonly database: SqlDatabase;
  readonly loose: LooseData | undefined;
}

/** From that position of its chunk on, and in all later chunks. */
export function removeHotFrom(database: SqlDatabase, life: string, { chunk, position }: Position): void {
  const later = 'stream_id = ? AND (chunk_seq > ? OR (chunk_seq = ? AND position >= ?))';
  removeWhere({ database, loose: undefined }, later, [life, chunk, chunk, position]);
}

function removeWhere(
  { database, loose }: HotTables,
  where: string,
  params: readonly (string | number)[],
): void {
  const numbers = `SELECT data FROM chunks WHERE ${where} AND typeof(data) = 'integer'`;
  if (loose) loose.letGo(numbers, params);
  else database.run(`DELETE FROM long_data WHERE number IN (${numbers})`, params);
  database.run(`DELETE FROM chunks WHERE ${where}`, params);
}
