/** Rows of the `streams` table as the state that the port speaks of, and back. */
import type { StreamState } from '../../streams/index.js';
import type { SqlRow } from './sql-database.js';
import { numberOrNull, textOrNull } from './sql-values.js';

/** What the table knows and the port does not ask for. */
export interface StreamRow extends StreamState {
  /** Where this stream's own bytes begin in its open chunk. */
  readonly chunkStart: number;
}

export function stateOf(row: SqlRow): StreamRow {
  const corruptChunk = row['corrupt_chunk'];
  const expires = row['stream_expires_at'];
  return {
    id: String(row['stream_id']),
    hash: String(row['stream_hash']),
    contentType: String(row['content_type']),
    tail: { chunk: Number(row['current_chunk_seq']), position: Number(row['chunk_bytes']) },
    chunkStart: Number(row['chunk_start']),
    totalBytes: Number(row['total_bytes']),
    writeUnits: Number(row['write_units']),
    createdAt: Number(row['created_at']),
    accessedAt: Number(row['accessed_at']),
    ttlSeconds: numberOrNull(row['ttl_seconds']),
    expiresAt: expires === null ? null : Date.parse(String(expires)),
    closed: row['closed'] === 1,
    createdClosed: row['created_closed'] === 1,
    closedBy: row['closed_by'] === null ? null : JSON.parse(String(row['closed_by'])),
    lastSeq: textOrNull(row['last_seq']),
    deleted: row['deleted'] === 1,
    ancestors: JSON.parse(String(row['ancestors'])),
    corruptFrom:
      typeof corruptChunk === 'number'
        ? { chunk: corruptChunk, position: Number(row['corrupt_position']) }
        : null,
    metadata: textOrNull(row['metadata']),
  };
}

export function expiresText(expiresAt: number | null): string | null {
  return expiresAt === null ? null : new Date(expiresAt).toISOString();
}
