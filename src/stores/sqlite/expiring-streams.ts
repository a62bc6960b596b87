/**
 * Finds expired streams. Every use renews a time to live, and updating an index each time would make every use more
 * expensive. So a stream is checked when it would expire without further use; if it was used, the check is postponed to
 * its current end.
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
