/** How many bytes are stored for a stream, and for each tenant. */
import { CountMap } from '../../count-map.js';
import type { SqlDatabase } from './sql-database.js';
import type { StreamRow } from './stream-row.js';
import { STORED_BYTES, SUM_SEALED } from './stream-statements.js';

export function storedBytes(database: SqlDatabase): readonly (readonly [tenant: string, bytes: number])[] {
  const sums = new CountMap();
  for (const row of STORED_BYTES.flatMap((statement) => database.all(statement, []))) {
    if (row['tenant'] !== null) sums.add(String(row['tenant']), Number(row['bytes']));
  }
  return [...sums];
}

/** Without the bytes that the stream shares with those it was forked from. */
export function ownBytes(database: SqlDatabase, { life, tail, chunkStart }: StreamRow): number {
  const [sealed] = database.all(SUM_SEALED, [life]);
  return Number(sealed?.['bytes'] ?? 0) + tail.position - chunkStart;
}
