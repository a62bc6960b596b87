/** Maps rows of the tables of streams to the types of the port, and back. */
import {
  type Ancestor,
  type AnnouncedFork,
  type ChunkRow,
  type StreamState,
  tenantOf,
  type UnsealedChunk,
} from '../../streams/index.js';
import { numberOrNull, textOrNull } from '../portable/sql-work.js';
import type { SqlRow, SqlValue } from './sql-database.js';

/** A stream's state, and what the store needs beyond the port. */
export interface StreamRow extends StreamState {
  /** Where this stream's own bytes begin in its open chunk. */
  readonly chunkStart: number;
  /** The tenant that its bytes count against, if any. */
  readonly tenant: string | undefined;
}

export function stateOf(row: SqlRow): StreamRow {
  const corruptChunk = row['corrupt_chunk'];
  const id = String(row['stream_id']);
  const metadata = textOrNull(row['metadata']);
  return {
    id,
    tenant: tenantIn({ id, metadata }),
    life: String(row['life']),
    hash: String(row['stream_hash']),
    contentType: String(row['content_type']),
    tail: { chunk: Number(row['current_chunk_seq']), position: Number(row['chunk_bytes']) },
    chunkStart: Number(row['chunk_start']),
    totalBytes: Number(row['total_bytes']),
    writeUnits: Number(row['write_units']),
    createdAt: Number(row['created_at']),
    accessedAt: Number(row['accessed_at']),
    appendedAt: numberOrNull(row['appended_at']),
    ttlSeconds: numberOrNull(row['ttl_seconds']),
    expiresAt: expiryOf(row),
    closed: row['closed'] === 1,
    createdClosed: row['created_closed'] === 1,
    closedBy: row['closed_by'] === null ? null : JSON.parse(String(row['closed_by'])),
    lastSeq: textOrNull(row['last_seq']),
    deleted: row['deleted'] === 1,
    ancestors: JSON.parse(String(row['ancestors'])) as readonly Ancestor[],
    corruptFrom:
      typeof corruptChunk === 'number'
        ? { chunk: corruptChunk, position: Number(row['corrupt_position']) }
        : null,
    metadata,
  };
}

/** Metadata comes from the stream's creator and need not be JSON. */
export function tenantIn(stream: Pick<StreamState, 'id' | 'metadata'>): string | undefined {
  try {
    return tenantOf(stream);
  } catch {
    return undefined;
  }
}

/** The fixed end of a stream, if it has one. */
export function expiryOf(row: SqlRow): number | null {
  const expires = row['stream_expires_at'];
  return expires === null ? null : Date.parse(String(expires));
}

export function expiresText(expiresAt: number | null): string | null {
  return expiresAt === null ? null : new Date(expiresAt).toISOString();
}

/** The parameters of `UPDATE_TAIL`. */
export function tailOf(row: StreamRow): SqlValue[] {
  return [
    row.tail.chunk,
    row.tail.position,
    row.chunkStart,
    row.totalBytes,
    row.writeUnits,
    row.accessedAt,
    row.appendedAt,
    row.lastSeq,
    row.id,
  ];
}

/** The parameters of `UPDATE_END`. */
export function endingOf(row: StreamRow): SqlValue[] {
  const closedBy = row.closedBy ? JSON.stringify(row.closedBy) : null;
  return [row.closed ? 1 : 0, closedBy, row.metadata, ...tailOf(row)];
}

export function chunkOf(row: SqlRow): ChunkRow {
  return {
    chunk: Number(row['chunk_seq']),
    start: Number(row['start_position']),
    end: Number(row['end_position']),
    base: Number(row['base_bytes']),
    cold: row['cold'] === 1,
  };
}

export function unsealedOf(row: SqlRow): UnsealedChunk {
  const stream = { id: String(row['owner_id']), life: String(row['stream_id']) };
  return { stream, chunk: Number(row['chunk_seq']) };
}

export function forkOf(row: SqlRow): AnnouncedFork {
  return {
    id: String(row['fork_owner_id']),
    life: String(row['fork_id']),
    announcedAt: Number(row['announced_at']),
  };
}
