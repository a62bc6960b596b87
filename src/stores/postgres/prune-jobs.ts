/** Deletes ended jobs with their events, steps and audits. Other connections do not wait for it. */
import { textOrNull } from '../portable/sql-work.js';
import { MAINTENANCE, type PgDatabase, type PgQueries, type PgRow } from './pg-database.js';
import { DELETE_AUDITS, PRUNE_EVENTS, PRUNE_JOBS, REMOVE_JOB } from './sql/prune-jobs.js';

/** Events deleted per step. A job with more events is deleted in a later step. */
const EVENTS_PRUNED = 500;

/** Returns the number of deleted rows. */
export async function pruneJobs(
  database: PgDatabase,
  { olderThanMs, limit }: { readonly olderThanMs: number; readonly limit: number },
): Promise<number> {
  const { time } = database;
  const events = await database.transaction(async (queries) => {
    if ((await time.mayDestroy(queries)) === undefined) return undefined;
    return queries.query(PRUNE_EVENTS, [olderThanMs, limit, EVENTS_PRUNED]);
  });
  if (!events) return 0;
  if (events.length === EVENTS_PRUNED) return events.length;
  const jobs = await database.transaction(async (queries) => {
    if ((await time.mayDestroy(queries)) === undefined) return 0;
    const deleted = await queries.query(PRUNE_JOBS, [olderThanMs, limit]);
    await deleteAudits(queries, deleted);
    return deleted.length;
  }, MAINTENANCE);
  return events.length + jobs;
}

/** Deletes an ended job. Returns false if there is none. */
export async function removeJob(database: PgDatabase, tenantId: string, jobId: string): Promise<boolean> {
  return database.transaction(async (queries, mayHaveCommitted) => {
    const deleted = await queries.query(REMOVE_JOB, [tenantId, jobId]);
    await deleteAudits(queries, deleted);
    return deleted.length > 0 || mayHaveCommitted;
  }, MAINTENANCE);
}

async function deleteAudits(queries: PgQueries, jobs: readonly PgRow[]): Promise<void> {
  const audits = jobs.flatMap((row) => textOrNull(row['audit_id']) ?? []);
  if (audits.length > 0) await queries.query(DELETE_AUDITS, [audits]);
}
