/** The SQL of the stream store, one statement per constant. */
import { DATA } from './record-rows.js';

export const INSERT_STREAM = `INSERT INTO streams (
  stream_id, stream_hash, content_type, current_chunk_seq, chunk_bytes, chunk_start, total_bytes, write_units,
  created_at, accessed_at, appended_at, ttl_seconds, stream_expires_at, closed, created_closed, ancestors, metadata,
  life, collection, expiry_check_at, deleted
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`;

export const SELECT_TOTALS = 'SELECT open, bytes FROM stream_totals WHERE tenant = ?';

export const SELECT_ALL_TOTALS = 'SELECT tenant, bytes FROM stream_totals WHERE bytes <> 0';

export const SUM_OPEN = 'SELECT coalesce(sum(open), 0) AS n FROM stream_totals';

export const WRITE_TOTALS = 'INSERT OR REPLACE INTO stream_totals (tenant, open, bytes) VALUES (?, ?, ?)';

export const SUM_SEALED =
  'SELECT coalesce(sum(end_position - start_position), 0) AS bytes FROM sealed_chunks WHERE stream_id = ?';

export const UPDATE_TAIL = `UPDATE streams SET
  current_chunk_seq = ?, chunk_bytes = ?, chunk_start = ?, total_bytes = ?, write_units = ?, accessed_at = ?,
  appended_at = ?, last_seq = ?
WHERE stream_id = ?`;

/** Also sets the indexed columns. They are separate, because SQLite would update the indexes with every write. */
export const UPDATE_END = `UPDATE streams SET
  closed = ?, closed_by = ?, metadata = ?,
  current_chunk_seq = ?, chunk_bytes = ?, chunk_start = ?, total_bytes = ?, write_units = ?, accessed_at = ?,
  appended_at = ?, last_seq = ?
WHERE stream_id = ?`;

export const INSERT_SEALED = `INSERT INTO sealed_chunks
  (stream_id, chunk_seq, start_position, end_position, base_bytes, owner_id, cold) VALUES (?, ?, ?, ?, ?, ?, 0)`;

export const MARK_COLD = 'UPDATE sealed_chunks SET cold = 1 WHERE stream_id = ? AND chunk_seq = ?';

export const SELECT_UNSEALED =
  'SELECT stream_id, owner_id, chunk_seq FROM sealed_chunks WHERE cold = 0 LIMIT ?';

export const SELECT_COLD = 'SELECT chunk_seq FROM sealed_chunks WHERE stream_id = ? AND cold = 1';

export const SELECT_PAGE = 'SELECT * FROM streams WHERE stream_id > ? ORDER BY stream_id LIMIT ?';

export const SELECT_SOFT_DELETED = `SELECT * FROM streams
  WHERE deleted = 1 AND stream_id > ? ORDER BY stream_id LIMIT ?`;

export const INSERT_FORK = `INSERT OR IGNORE INTO stream_forks (stream_id, fork_id, fork_owner_id, announced_at)
  VALUES (?, ?, ?, ?)`;

export const SELECT_CHUNKS = `SELECT * FROM sealed_chunks
  WHERE stream_id = ? AND chunk_seq BETWEEN ? AND ? ORDER BY chunk_seq`;

export const SELECT_LATER = `SELECT position, checksum, length(${DATA}) AS bytes, arrived_at FROM chunks
  WHERE stream_id = ? AND chunk_seq = ? AND position >= ? ORDER BY position`;

/** Streams that may have expired; those that were used since only need a later check. */
export const SELECT_EXPIRING = `SELECT stream_id, accessed_at, ttl_seconds, stream_expires_at FROM streams
  WHERE expiry_check_at <= ? ORDER BY expiry_check_at LIMIT ?`;

export const CHECK_EXPIRY_LATER = 'UPDATE streams SET expiry_check_at = ? WHERE stream_id = ?';

export const MARK_DELETED = 'UPDATE streams SET deleted = 1, expiry_check_at = NULL WHERE stream_id = ?';

export const SELECT_PRODUCER = 'SELECT epoch, seq FROM producers WHERE stream_id = ? AND producer_id = ?';

export const UPSERT_PRODUCER = `INSERT INTO producers (stream_id, producer_id, epoch, seq) VALUES (?, ?, ?, ?)
  ON CONFLICT (stream_id, producer_id) DO UPDATE SET epoch = excluded.epoch, seq = excluded.seq`;

export const SELECT_DAMAGED = 'SELECT stream_id, life FROM streams WHERE corrupt_chunk IS NOT NULL';

export const MARK_CORRUPT = 'UPDATE streams SET corrupt_chunk = ?, corrupt_position = ? WHERE stream_id = ?';

export const DELETE_FORK = 'DELETE FROM stream_forks WHERE stream_id = ? AND fork_id = ?';
