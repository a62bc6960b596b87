/**
 * The job queue on SQLite. One thread owns the file, so a claim needs no locks. Every write of a worker is still fenced
 * by its lease, because a handler can outlive its lease here too.
 */
import {
  backoffMs,
  type ChangeOutcome,
  type ClaimRequest,
  decideJob,
  isEnded,
  JOB_LIMITS,
  type Job,
  type JobFilter,
  type JobStore,
  LEASE_EXPIRED,
  type NewJob,
  type QueueOverview,
  type Reaped,
  type ReapRequest,
  type Renewal,
  type Settlement,
  type StepWrite,
} from '../../jobs/index.js';
import type { Removal } from '../../removal.js';
import { numberOrNull } from '../portable/sql-work.js';
import { claimJobs, DELAYED, jobsHeldBy, UNDELAYED } from './claim-jobs.js';
import { enqueueJob } from './enqueue-jobs.js';
import { listJobs } from './list-jobs.js';
import { pruneJobs, removeJob } from './prune-jobs.js';
import { recordStep, renewJob, settleJob, writeEvents } from './settle-jobs.js';
import type { SqlDatabase } from './sql-database.js';
import { eventOf, glanceOf, jobOf, PROGRESS, workerOf } from './sql-rows.js';
import type { SyncPort } from './sync-port.js';

export class SqliteJobStore implements SyncPort<JobStore> {
  readonly #database: SqlDatabase;
  readonly #clock: () => number;
  readonly #mayDestroy: () => boolean;

  constructor(database: SqlDatabase, clock: () => number, mayDestroy: () => boolean = () => true) {
    this.#database = database;
    this.#clock = clock;
    this.#mayDestroy = mayDestroy;
  }

  enqueue(jobs: readonly NewJob[]) {
    const now = this.#clock();
    return jobs.map((job) => enqueueJob(this.#database, job, now));
  }

  claim(request: ClaimRequest) {
    return claimJobs(this.#database, request, this.#clock());
  }

  heldBy(workerId: string) {
    return jobsHeldBy(this.#database, workerId);
  }

  renew(renewals: readonly Renewal[], leaseMs: number) {
    const now = this.#clock();
    return renewals.map((renewal) => renewJob(this.#database, renewal, { now, leaseMs }));
  }

  settle(settlements: readonly Settlement[]) {
    const now = this.#clock();
    return settlements.map((settlement) => settleJob(this.#database, settlement, now));
  }

  recordStep(step: StepWrite) {
    return recordStep(this.#database, step, this.#clock());
  }

  steps(jobId: string) {
    return this.#database
      .all('SELECT name, result_json FROM audit_job_steps WHERE job_id = ?', [jobId])
      .map((row) => ({ name: String(row['name']), result: String(row['result_json']) }));
  }

  reap(request: ReapRequest) {
    const now = this.#clock();
    const expired = this.#database.all(SELECT_EXPIRED, [now, request.limit]).map(jobOf);
    return expired.flatMap((job, index): Reaped[] => {
      const verdict = decideJob({ ...job, holds: false }, 'expire');
      if (verdict.kind !== 'moves') return [];
      const { to: status } = verdict;
      const backoff = { firstMs: request.backoffFirstMs, maxMs: request.backoffMaxMs };
      const runAt = now + backoffMs(job.attempt, backoff, request.fractions[index] ?? 0);
      const finishedAt = status === 'queued' ? null : Math.max(now, job.startedAt ?? 0);
      const error = status === 'failed' ? `${LEASE_EXPIRED}; no attempts are left` : LEASE_EXPIRED;
      // A job that is queued again has at least one attempt left.
      const attempt =
        status === 'queued' ? Math.min(job.attempt, Math.max(0, job.maxAttempts - 1)) : job.attempt;
      this.#database.run(REAP, [status, runAt, finishedAt, error, attempt, job.jobId]);
      this.#writeStatus(job, { status, error }, now);
      const { tenantId, jobId, leaseToken, kind } = job;
      return [{ tenantId, jobId, leaseToken, kind, status }];
    });
  }

  pullBack() {
    const now = this.#clock();
    const late = now + 1_000;
    const queued = [
      ...this.#database.all(SELECT_UNDELAYED_AHEAD, [late, CHECKED_MAX, now]),
      ...this.#database.all(SELECT_DELAYED_AHEAD, [now, CHECKED_MAX, late, now + JOB_LIMITS.delayMaxMs]),
    ];
    const running = this.#database.all(SELECT_RUNNING_AHEAD, [now + JOB_LIMITS.leaseMaxMs]);
    for (const { job_id = null } of queued)
      this.#database.run('UPDATE audit_jobs SET run_at = ? WHERE job_id = ?', [now, job_id]);
    for (const { job_id = null } of running)
      this.#database.run('UPDATE audit_jobs SET locked_until = ? WHERE job_id = ?', [now, job_id]);
    return queued.length + running.length;
  }

  cancel(tenantId: string, jobId: string): ChangeOutcome {
    const job = this.get(tenantId, jobId);
    if (!job) return { kind: 'missing' };
    const verdict = decideJob({ ...job, holds: false }, 'cancel');
    if (verdict.kind === 'refused') return { kind: 'refused', job };
    if (job.status === 'canceled') return { kind: 'unchanged', job };
    const now = this.#clock();
    if (verdict.kind === 'moves') {
      this.#database.run(CANCEL_QUEUED, [Math.max(now, job.startedAt ?? 0), jobId]);
      this.#writeStatus(job, { status: 'canceled' }, now);
    } else {
      this.#database.run('UPDATE audit_jobs SET cancel_requested = 1 WHERE job_id = ?', [jobId]);
    }
    return { kind: 'changed', job: this.#getExisting(tenantId, jobId) };
  }

  retry(tenantId: string, jobId: string): ChangeOutcome {
    const job = this.get(tenantId, jobId);
    if (!job) return { kind: 'missing' };
    if (decideJob({ ...job, holds: false }, 'retry').kind !== 'moves') return { kind: 'refused', job };
    const [twin] = this.#database.all(SELECT_TWIN, [tenantId, job.idempotencyKey]);
    if (twin) return { kind: 'twin', jobId: String(twin['job_id']) };
    const now = this.#clock();
    this.#database.run(RETRY, [now, jobId]);
    this.#writeStatus(job, { status: 'queued' }, now);
    return { kind: 'changed', job: this.#getExisting(tenantId, jobId) };
  }

  remove(tenantId: string, jobId: string): Removal {
    const job = this.get(tenantId, jobId);
    if (!job) return 'missing';
    return isEnded(job.status) ? removeJob(this.#database, job) : 'running';
  }

  get(tenantId: string, jobId: string) {
    return this.#database.all(SELECT_JOB, [tenantId, jobId]).map(jobOf)[0];
  }

  list(tenantId: string, filter: JobFilter) {
    return listJobs(this.#database, tenantId, filter);
  }

  events(tenantId: string, jobId: string, { after, limit }: { after: number; limit: number }) {
    return this.#database.all(SELECT_EVENTS, [tenantId, jobId, after, limit]).map(eventOf);
  }

  glance(tenantId: string, limit: number) {
    return this.#database.all(GLANCE, [tenantId, limit]).map(glanceOf);
  }

  counts(tenantId: string) {
    const rows = this.#database.all(COUNT, [tenantId]);
    const count = (name: string) => Number(rows.find((row) => row['name'] === name)?.['n'] ?? 0);
    return { queued: count('queued'), running: count('running') };
  }

  overview(): QueueOverview {
    const now = this.#clock();
    const [row] = this.#database.all(OVERVIEW, []);
    const oldest = Math.min(
      numberOrNull(row?.['oldest']) ?? now + 1,
      numberOrNull(row?.['oldest_delayed']) ?? now + 1,
    );
    return {
      queued: Number(row?.['queued'] ?? 0),
      running: Number(row?.['running'] ?? 0),
      oldestQueuedMs: oldest > now ? null : now - oldest,
      workers: this.#database.all(WORKERS, [JOB_LIMITS.workersShown]).map(workerOf),
    };
  }

  prune({ olderThanMs, limit }: { olderThanMs: number; limit: number }) {
    if (!this.#mayDestroy()) return 0;
    return pruneJobs(this.#database, this.#clock() - olderThanMs, limit);
  }

  /** Records a change of status that was not made by the job's worker. */
  #writeStatus(
    job: Job,
    data: Readonly<Record<string, unknown>> & { readonly status: string },
    now: number,
  ): void {
    const seq = job.eventSeq + 1;
    const event = { seq, type: 'status_changed', message: data.status, data, progressPct: null } as const;
    writeEvents(this.#database, { job_id: job.jobId, audit_id: job.auditId }, { events: [event], now });
    this.#database.run('UPDATE audit_jobs SET event_seq = ? WHERE job_id = ?', [seq, job.jobId]);
  }

  #getExisting(tenantId: string, jobId: string): Job {
    const job = this.get(tenantId, jobId);
    if (!job) throw new Error(`the job ${jobId} disappeared while it was being changed`);
    return job;
  }
}

/** The maximum number of jobs that one call of `pullBack` reads per index. */
const CHECKED_MAX = 1_000;

const SELECT_UNDELAYED_AHEAD = `SELECT job_id FROM (
  SELECT job_id, run_at FROM audit_jobs WHERE ${UNDELAYED} AND queued_at > ? ORDER BY queued_at DESC LIMIT ?
) WHERE run_at > ?`;

const SELECT_DELAYED_AHEAD = `SELECT job_id FROM (
  SELECT job_id, queued_at, run_at FROM audit_jobs WHERE ${DELAYED} AND run_at > ? ORDER BY run_at DESC LIMIT ?
) WHERE queued_at > ? OR run_at > ?`;

/** When it was started is no evidence: the clock may have been set since, and its worker may be alive. */
const SELECT_RUNNING_AHEAD = `SELECT job_id FROM audit_jobs
  WHERE status = 'running' AND locked_until > ?`;

const SELECT_EXPIRED = `SELECT * FROM audit_jobs
  WHERE status = 'running' AND locked_until <= ? ORDER BY locked_until LIMIT ?`;

const REAP = `UPDATE audit_jobs SET status = ?1, run_at = CASE WHEN ?1 = 'queued' THEN ?2 ELSE run_at END,
  finished_at = ?3, last_error = ?4, attempt = ?5, locked_until = NULL, locked_by = NULL WHERE job_id = ?6`;

const CANCEL_QUEUED = `UPDATE audit_jobs SET status = 'canceled', cancel_requested = 1, finished_at = ?
  WHERE job_id = ?`;

const SELECT_TWIN = `SELECT job_id FROM audit_jobs
  WHERE tenant_id = ? AND idempotency_key = ? AND status IN ('queued', 'running')
    AND substr(idempotency_key, 1, 16) <> '0000000000000000'`;

const RETRY = `UPDATE audit_jobs SET status = 'queued', attempt = 0, cancel_requested = 0, finished_at = NULL,
  ran_ms = 0, run_at = ? WHERE job_id = ?`;

const SELECT_JOB = `SELECT j.*, ${PROGRESS} FROM audit_jobs j WHERE j.tenant_id = ? AND j.job_id = ?`;

const SELECT_EVENTS = `SELECT e.* FROM audit_jobs j JOIN audit_progress_events e ON e.job_id = j.job_id
  WHERE j.tenant_id = ? AND j.job_id = ? AND e.seq > ? ORDER BY e.seq LIMIT ?`;

const GLANCE = `SELECT job_id, audit_id, kind, status, event_seq FROM audit_jobs WHERE job_id IN (
  SELECT job_id FROM (
    SELECT job_id FROM audit_jobs WHERE tenant_id = ?1 ORDER BY queued_at DESC, job_id DESC LIMIT ?2)
  UNION SELECT job_id FROM (
    SELECT job_id FROM audit_jobs WHERE status = 'running' AND tenant_id = ?1 LIMIT ?2))`;

const COUNT = `SELECT name, n FROM record_counts WHERE tenant_id = ? AND name IN ('queued', 'running')`;

const OVERVIEW = `SELECT
  (SELECT sum(n) FROM record_counts WHERE name = 'queued') AS queued,
  (SELECT sum(n) FROM record_counts WHERE name = 'running') AS running,
  (SELECT run_at FROM audit_jobs WHERE ${UNDELAYED} ORDER BY queued_at LIMIT 1) AS oldest,
  (SELECT min(run_at) FROM audit_jobs WHERE ${DELAYED}) AS oldest_delayed`;

const WORKERS = `SELECT locked_by, count(*) AS jobs, max(locked_until) AS lease_until, min(started_at) AS started_at
  FROM audit_jobs WHERE status = 'running' GROUP BY locked_by ORDER BY locked_by LIMIT ?`;
