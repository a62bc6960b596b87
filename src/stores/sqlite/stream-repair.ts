/**
 * The writes of a repair. Bytes that are given up leave an empty chunk that keeps its number. Reads skip it, and no
 * offset inside it will ever refer to other bytes.
 */
import type { Position } from '../../streams/index.js';
import { removeHotFrom } from './hot-writer.js';
import type { SqlDatabase } from './sql-database.js';
import { type StreamRow, tailOf } from './stream-row.js';
import { INSERT_SEALED, UPDATE_TAIL } from './stream-statements.js';

const CLEAR_DAMAGE = 'UPDATE streams SET corrupt_chunk = NULL, corrupt_position = NULL WHERE stream_id = ?';
const GIVE_UP_CHUNK = `UPDATE sealed_chunks SET end_position = start_position
  WHERE stream_id = ? AND chunk_seq = ?`;
const GIVE_UP_LATER = `UPDATE sealed_chunks SET end_position = start_position
  WHERE stream_id = ? AND chunk_seq > ?`;
const END_CHUNK = `UPDATE sealed_chunks SET end_position = max(start_position, ?)
  WHERE stream_id = ? AND chunk_seq = ?`;

export function clearDamage(database: SqlDatabase, { id }: StreamRow): void {
  database.run(CLEAR_DAMAGE, [id]);
}

export function giveUpChunk(database: SqlDatabase, { life }: StreamRow, chunk: number): void {
  database.run(GIVE_UP_CHUNK, [life, chunk]);
}

/** Drops the stream's bytes from this position on; the stream continues in a new chunk. */
export function cutOff(database: SqlDatabase, row: StreamRow, from: Position): void {
  const { life, id, tail, chunkStart, totalBytes } = row;
  database.run(GIVE_UP_LATER, [life, from.chunk]);
  database.run(END_CHUNK, [from.position, life, from.chunk]);
  removeHotFrom(database, life, from);
  const end = tail.chunk === from.chunk ? Math.max(chunkStart, from.position) : chunkStart;
  database.run(INSERT_SEALED, [life, tail.chunk, chunkStart, end, totalBytes - tail.position, id]);
  const next = { chunk: tail.chunk + 1, position: 0 };
  database.run(UPDATE_TAIL, tailOf({ ...row, tail: next, chunkStart: 0 }));
  clearDamage(database, row);
}
