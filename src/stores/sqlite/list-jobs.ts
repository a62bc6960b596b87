/**
 * Lists jobs in pages, newest first. A page is merged from ranges of one index, one per kind and status. So its cost
 * depends neither on the number of jobs nor on how many of them match.
 */
import { JOB_STATUSES, type Job, type JobFilter } from '../../jobs/index.js';
import type { SqlDatabase } from './sql-database.js';
import { jobOf, PROGRESS } from './sql-rows.js';

interface Place {
  readonly queuedAt: number;
  readonly jobId: string;
}

export function listJobs(database: SqlDatabase, tenantId: string, filter: JobFilter): readonly Job[] {
  const { status, kinds, after, limit } = filter;
  const statuses = status === undefined ? JOB_STATUSES : [status];
  const position = after ? [after.queuedAt, after.jobId] : [];
  const places = kinds.flatMap((kind) =>
    statuses.flatMap((each) =>
      database
        .all(after ? SELECT_NEXT : SELECT_FIRST, [tenantId, kind, each, ...position, limit])
        .map((row): Place => ({ queuedAt: Number(row['queued_at']), jobId: String(row['job_id']) })),
    ),
  );
  const page = places.sort(compareNewestFirst).slice(0, limit);
  return database.all(SELECT_JOBS, [JSON.stringify(page.map(({ jobId }) => jobId))]).map(jobOf);
}

function compareNewestFirst(a: Place, b: Place): number {
  return b.queuedAt - a.queuedAt || (a.jobId < b.jobId ? 1 : -1);
}

const RANGE = `SELECT queued_at, job_id FROM audit_jobs WHERE tenant_id = ? AND kind = ? AND status = ?`;
const ORDER = 'ORDER BY queued_at DESC, job_id DESC LIMIT ?';
const SELECT_FIRST = `${RANGE} ${ORDER}`;
const SELECT_NEXT = `${RANGE} AND (queued_at, job_id) < (?, ?) ${ORDER}`;

const SELECT_JOBS = `SELECT j.*, ${PROGRESS}
  FROM json_each(?) given JOIN audit_jobs j ON j.job_id = given.value ORDER BY given.key`;
