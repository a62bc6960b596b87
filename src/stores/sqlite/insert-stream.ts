/** The row of a new stream. It is inserted once, together with the stream's initial data. */
import { endOf, type NewStream } from '../../streams/index.js';
import type { SqlDatabase } from './sql-database.js';
import { expiresText, type StreamRow, tenantIn } from './stream-row.js';
import { INSERT_STREAM } from './stream-statements.js';

/** The row before anything is appended. */
export function newRow(stream: NewStream): StreamRow {
  const { id, life, hash, contentType, createdAt, ttlSeconds, expiresAt, ancestors, metadata } = stream;
  return {
    id,
    life,
    hash,
    contentType,
    tenant: tenantIn({ id, metadata }),
    tail: stream.start,
    chunkStart: stream.start.position,
    totalBytes: stream.inheritedBytes,
    writeUnits: 0,
    createdAt,
    accessedAt: stream.usedAt ?? createdAt,
    appendedAt: null,
    ttlSeconds,
    expiresAt,
    closed: false,
    createdClosed: stream.closed,
    closedBy: null,
    lastSeq: null,
    deleted: false,
    ancestors,
    corruptFrom: null,
    metadata,
  };
}

export function insertStream(database: SqlDatabase, row: StreamRow, collection: string): void {
  database.run(INSERT_STREAM, [
    row.id,
    row.hash,
    row.contentType,
    row.tail.chunk,
    row.tail.position,
    row.chunkStart,
    row.totalBytes,
    row.writeUnits,
    row.createdAt,
    row.accessedAt,
    row.appendedAt,
    row.ttlSeconds,
    expiresText(row.expiresAt),
    row.closed ? 1 : 0,
    row.createdClosed ? 1 : 0,
    JSON.stringify(row.ancestors),
    row.metadata,
    row.life,
    collection,
    endOf(row),
  ]);
}
