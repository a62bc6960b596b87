/**
 * Streams whose time is over. A time to live moves with every use, and an index that moved with it would make every use
 * dearer; so a stream is looked at when it would end if it were never used again, and if it was used, the look is put off
 * until the end that it has now.
 */
import { type ExpiredStreams, endOf } from '../../streams/index.js';
import { numberOrNull } from '../portable/sql-work.js';
import type { SqlDatabase } from './sql-database.js';
import { expiryOf } from './stream-row.js';
import { CHECK_EXPIRY_LATER, SELECT_EXPIRING } from './stream-statements.js';

export function expiredStreams(database: SqlDatabase, now: number, limit: number): ExpiredStreams {
  const rows = database.all(SELECT_EXPIRING, [now, limit]);
  const ids: string[] = [];
  for (const row of rows) {
    const id = String(row['stream_id']);
    const ttlSeconds = numberOrNull(row['ttl_seconds']);
    const end = endOf({ ttlSeconds, expiresAt: expiryOf(row), accessedAt: Number(row['accessed_at']) });
    if (end !== null && end <= now) ids.push(id);
    else database.run(CHECK_EXPIRY_LATER, [end, id]);
  }
  return { ids, looked: rows.length };
}
