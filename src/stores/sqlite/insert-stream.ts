/** Writes the row of a new stream. */
import { endOf, type NewStream } from '../../streams/index.js';
import type { SqlDatabase } from './sql-database.js';
import { expiresText } from './stream-row.js';
import { INSERT_STREAM } from './stream-statements.js';

export function insertStream(database: SqlDatabase, stream: NewStream): void {
  const { start } = stream;
  database.run(INSERT_STREAM, [
    stream.id,
    stream.hash,
    stream.contentType,
    start.chunk,
    start.position,
    start.position,
    stream.inheritedBytes,
    0,
    stream.createdAt,
    stream.createdAt,
    stream.ttlSeconds,
    expiresText(stream.expiresAt),
    0,
    stream.closed ? 1 : 0,
    0,
    JSON.stringify(stream.ancestors),
    stream.metadata,
    stream.life,
    stream.collection,
    endOf({ ...stream, accessedAt: stream.createdAt }),
  ]);
}
