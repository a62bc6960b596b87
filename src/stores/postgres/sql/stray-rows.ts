/** SQL for running comparisons and suites that have no job. `$1` created before, in ms; `$2` limit. */
import { pgStatement } from '../pg-database.js';

/** Null if the id is not a UUID, because then it cannot be a job's. */
const jobId = (id: string) => `CASE WHEN ${id} ~ '^[0-9a-f-]{36}$' THEN (${id})::uuid END`;

export const SELECT_STRAY_COMPARISONS = pgStatement('select_stray_comparisons')`
  SELECT c.id, c.tenant_id FROM comparisons c
    WHERE c.status = 'running' AND c.ts <= $1
      AND NOT EXISTS (SELECT FROM audit_jobs j WHERE j.job_id = ${jobId('right(c.id, 36)')})
      AND NOT EXISTS (
        SELECT FROM suites s JOIN suite_paths p ON p.suite_id = s.id
        WHERE s.status = 'running' AND p.comparison_id = c.id
      ) LIMIT $2`;

export const SELECT_STRAY_SUITES = pgStatement('select_stray_suites')`SELECT s.id, s.tenant_id FROM suites s
    WHERE s.status = 'running' AND s.ts <= $1
      AND NOT EXISTS (SELECT FROM audit_jobs j WHERE j.job_id = ${jobId('s.id')}) LIMIT $2`;
