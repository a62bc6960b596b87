/** Whether anybody still works at a comparison of the tenant: its own job, or the suite that it is a path of. */
import { pairKeyIn } from '../../../compare/index.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';

export function isWorkedAt(database: SqlDatabase, comparisonId: string): boolean {
  // A comparison's own job has the id that stands behind its pair's key.
  const jobId = comparisonId.slice((pairKeyIn(comparisonId)?.length ?? 0) + 1);
  return database.all(SELECT, [jobId, comparisonId]).length > 0;
}

const SELECT = `SELECT 1 AS found FROM audit_jobs WHERE job_id = ? AND status IN ('queued', 'running')
  UNION ALL
  SELECT 1 FROM suites s JOIN suite_paths p ON p.suite_id = s.id WHERE s.status = 'running' AND p.comparison_id = ?
  LIMIT 1`;
