/** The number of bytes stored for a stream itself, without those that it shares with its ancestors. */
import type { SqlDatabase } from './sql-database.js';
import type { StreamRow } from './stream-row.js';
import { SUM_SEALED } from './stream-statements.js';

export function ownBytes(database: SqlDatabase, { life, tail, chunkStart }: StreamRow): number {
  const [sealed] = database.all(SUM_SEALED, [life]);
  return Number(sealed?.['bytes'] ?? 0) + tail.position - chunkStart;
}
