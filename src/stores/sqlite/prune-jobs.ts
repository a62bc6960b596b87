/** Drops ended jobs with their events, steps and audits, no more of them at once than a store may be held for. */
import type { Removal } from '../../removal.js';
import { textOrNull } from '../portable/sql-work.js';
import type { SqlDatabase } from './sql-database.js';
import { stepTime } from './step-time.js';

/** One call removes at most this many events and pieces of reports; a job with more takes several calls. */
const EVENTS_MAX = 500;
const PIECES_MAX = 16;
/** Removed by one statement; between two the time is looked at. */
const EVENTS_AT_ONCE = 50;
const PIECES_AT_ONCE = 2;

/** What one call may still remove. */
class Budget {
  readonly #hasTime = stepTime();
  #events = EVENTS_MAX;
  #pieces = PIECES_MAX;
  removed = 0;

  get isSpent(): boolean {
    return this.#events <= 0 || this.#pieces <= 0 || !this.#hasTime();
  }

  tookEvents(count: number): void {
    this.#events -= count;
    this.removed += count;
  }

  tookPieces(count: number): void {
    this.#pieces -= count;
    this.removed += count;
  }
}

interface EndedJob {
  readonly jobId: string;
  readonly auditId: string | null;
}

/** Jobs that ended before that time, oldest first. Returns how many rows went. */
export function pruneJobs(database: SqlDatabase, before: number, limit: number): number {
  const budget = new Budget();
  for (const row of database.all(SELECT_OLD, [before, limit])) {
    const job = { jobId: String(row['job_id']), auditId: textOrNull(row['audit_id']) };
    if (!dropJob(database, job, budget) || budget.isSpent) break;
  }
  return budget.removed;
}

/** A job that has ended. */
export function removeJob(database: SqlDatabase, job: EndedJob): Removal {
  return dropJob(database, job, new Budget()) ? 'removed' : 'more';
}

/** False where the budget ends before the job does; something of it goes in any case. */
function dropJob(database: SqlDatabase, { jobId, auditId }: EndedJob, budget: Budget): boolean {
  for (let some = EVENTS_AT_ONCE; some === EVENTS_AT_ONCE; ) {
    some = database.all(DELETE_EVENTS, [jobId, EVENTS_AT_ONCE]).length;
    budget.tookEvents(some);
    if (some === EVENTS_AT_ONCE && budget.isSpent) return false;
  }
  for (let some = PIECES_AT_ONCE; auditId !== null && some === PIECES_AT_ONCE; ) {
    some = database.all(DELETE_PIECES, [auditId, PIECES_AT_ONCE]).length;
    budget.tookPieces(some);
    if (some === PIECES_AT_ONCE && budget.isSpent) return false;
  }
  database.run('DELETE FROM audit_job_steps WHERE job_id = ?', [jobId]);
  database.run('DELETE FROM audit_jobs WHERE job_id = ?', [jobId]);
  if (auditId !== null) database.run('DELETE FROM audits WHERE id = ?', [auditId]);
  budget.removed++;
  return true;
}

const SELECT_OLD = `SELECT job_id, audit_id FROM audit_jobs WHERE status IN ('done', 'failed', 'canceled')
  AND finished_at < ? ORDER BY finished_at LIMIT ?`;

const DELETE_EVENTS = `DELETE FROM audit_progress_events WHERE job_id = ?1 AND seq IN (
  SELECT seq FROM audit_progress_events WHERE job_id = ?1 ORDER BY seq LIMIT ?2
) RETURNING seq`;

const DELETE_PIECES = `DELETE FROM audit_parts WHERE rowid IN (
  SELECT rowid FROM audit_parts WHERE audit_id = ?1 LIMIT ?2
) RETURNING piece`;
