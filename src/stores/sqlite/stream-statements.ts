/** The SQL of the stream store, one statement per constant. */
import { DATA } from './record-rows.js';

export const INSERT_STREAM = `INSERT INTO streams (
  stream_id, stream_hash, content_type, current_chunk_seq, chunk_bytes, chunk_start, total_bytes, write_units,
  created_at, accessed_at, ttl_seconds, stream_expires_at, closed, created_closed, deleted, ancestors, metadata,
  life, collection
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** By tenant, which the ids of streams that have a path name; '' for all others. */
export const COUNT_OPEN = `
  SELECT CASE WHEN stream_id LIKE 'stream/%' THEN substr(stream_id, 8, instr(substr(stream_id, 8), '/') - 1) ELSE '' END
    AS owner, count(*) AS open
  FROM streams WHERE closed = 0 AND deleted = 0 GROUP BY 1`;

export const UPDATE_TAIL = `UPDATE streams SET
  current_chunk_seq = ?, chunk_bytes = ?, chunk_start = ?, total_bytes = ?, write_units = ?, accessed_at = ?,
  appended_at = ?, last_seq = ?
WHERE stream_id = ?`;

/** Apart from `UPDATE_TAIL`: what it names is indexed, and SQLite would write the index with every update. */
export const UPDATE_END = 'UPDATE streams SET closed = ?, closed_by = ?, metadata = ? WHERE stream_id = ?';

export const INSERT_SEALED = `INSERT INTO sealed_chunks
  (stream_id, chunk_seq, start_position, end_position, base_bytes, owner_id, cold) VALUES (?, ?, ?, ?, ?, ?, 0)`;

export const MARK_COLD = 'UPDATE sealed_chunks SET cold = 1 WHERE stream_id = ? AND chunk_seq = ?';

export const SELECT_UNSEALED =
  'SELECT stream_id, owner_id, chunk_seq FROM sealed_chunks WHERE cold = 0 LIMIT ?';

export const SELECT_COLD = 'SELECT chunk_seq FROM sealed_chunks WHERE stream_id = ? AND cold = 1';

export const SELECT_SOFT_DELETED = `SELECT * FROM streams
  WHERE deleted = 1 AND stream_id > ? ORDER BY stream_id LIMIT ?`;

export const INSERT_FORK = `INSERT OR IGNORE INTO stream_forks (stream_id, fork_id, fork_owner_id, announced_at)
  VALUES (?, ?, ?, ?)`;

export const SELECT_CHUNKS = `SELECT * FROM sealed_chunks
  WHERE stream_id = ? AND chunk_seq BETWEEN ? AND ? ORDER BY chunk_seq`;

export const SELECT_LATER = `SELECT position, checksum, length(${DATA}) AS bytes, arrived_at FROM chunks
  WHERE stream_id = ? AND chunk_seq = ? AND position >= ? ORDER BY position`;

export const SELECT_EXPIRED = `SELECT stream_id FROM streams
  WHERE deleted = 0 AND (accessed_at + ttl_seconds * 1000 <= ? OR stream_expires_at <= ?) LIMIT ?`;

export const UPSERT_PRODUCER = `INSERT INTO producers (stream_id, producer_id, epoch, seq) VALUES (?, ?, ?, ?)
  ON CONFLICT (stream_id, producer_id) DO UPDATE SET epoch = excluded.epoch, seq = excluded.seq`;
