/** Whether a comparison of the tenant is still being worked on, by its own job or by its suite. */
import { pairKeyIn } from '../../../compare/index.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

export function isWorkedAt(database: SqlDatabase, comparisonId: string): boolean {
  // The id of a comparison is its pair's key followed by the id of its own job.
  const jobId = comparisonId.slice((pairKeyIn(comparisonId)?.length ?? 0) + 1);
  return database.all(SELECT, [jobId, comparisonId]).length > 0;
}

const SELECT = `SELECT 1 AS found FROM audit_jobs WHERE job_id = ? AND status IN ('queued', 'running')
  UNION ALL
  SELECT 1 FROM suites s JOIN suite_paths p ON p.suite_id = s.id WHERE s.status = 'running' AND p.comparison_id = ?
  LIMIT 1`;
