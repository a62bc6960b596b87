/** SQL for the retention of comparisons and suites. `$1` created before, in ms; `$2` limit. */
import type { PgStatement } from '../pg-database.js';

const oldest = (table: string) => `DELETE FROM ${table} WHERE id = ANY (ARRAY(
  SELECT id FROM ${table} WHERE ts < $1 AND status <> 'running' ORDER BY ts LIMIT $2::int FOR UPDATE SKIP LOCKED
)) RETURNING id`;

export const PRUNE_COMPARISONS: PgStatement = { name: 'prune_comparisons', text: oldest('comparisons') };

export const PRUNE_SUITES: PgStatement = { name: 'prune_suites', text: oldest('suites') };
