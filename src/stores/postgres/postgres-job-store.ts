/**
 * The job queue on PostgreSQL, for any number of processes. A method is one statement, or several that are each safe to
 * repeat. Every statement except a claim may be sent again after its response was lost.
 */
import { SondeError } from '../../errors.js';
import {
  type ChangeOutcome,
  type ClaimRequest,
  type Enqueued,
  isEnded,
  JOB_LIMITS,
  JOB_STATUSES,
  type JobFilter,
  type JobStatus,
  type JobStore,
  type Lease,
  type NewJob,
  type NewJobEvent,
  type QueueOverview,
  type Reaped,
  type ReapRequest,
  type Renewal,
  type RenewOutcome,
  type Settlement,
  type StepWrite,
  statusAfter,
} from '../../jobs/index.js';
import type { Removal } from '../../removal.js';
import { numberOrNull, textOrNull } from '../portable/sql-work.js';
import { storableJson, storableText } from '../storable.js';
import { jsonLines, plainArray } from './bulk-values.js';
import type { PgDatabase, PgRow } from './pg-database.js';
import { claimedOf, eventOf, glanceOf, jobOf, workerOf } from './pg-rows.js';
import { pruneJobs, removeJob } from './prune-jobs.js';
import { CANCEL_JOB, FIND_TWIN, RETRY_JOB } from './sql/change-jobs.js';
import { CLAIM_JOBS, CLAIM_SUSPECT, SELECT_HELD_JOBS } from './sql/claim-jobs.js';
import { ENQUEUE_ALIKE_JOBS, ENQUEUE_JOBS, FIND_RECENTLY_DONE, FIND_SAME_JOBS } from './sql/enqueue-jobs.js';
import * as read from './sql/read-jobs.js';
import { PULL_BACK_JOBS, REAP_JOBS } from './sql/reap-jobs.js';
import { RECORD_STEP, SELECT_STEPS } from './sql/record-step.js';
import { RENEW_JOBS } from './sql/renew-jobs.js';
import { FIND_SETTLED_JOBS, SETTLE_JOBS } from './sql/settle-jobs.js';

const NO_TENANT = '00000000-0000-0000-0000-000000000000';
/** An existing job may end between the insert and its lookup. Then the new job can be queued after all. */
const ENQUEUE_ROUNDS = 5;

export class PostgresJobStore implements JobStore {
  readonly #database: PgDatabase;

  constructor(database: PgDatabase) {
    this.#database = database;
  }

  async enqueue(jobs: readonly NewJob[]): Promise<readonly Enqueued[]> {
    const outcomes = new Map<string, Enqueued>();
    for (const job of jobs) {
      const reuseMs = job.audit?.reuseMs;
      const recent = reuseMs ? await this.#findRecentlyDone(job, reuseMs) : undefined;
      if (recent) outcomes.set(job.jobId, recent);
    }
    let open = jobs.filter(({ jobId }) => !outcomes.has(jobId));
    for (let round = 0; open.length > 0; round++) {
      if (round === ENQUEUE_ROUNDS) throw new Error('jobs could be neither queued nor found');
      open = await this.#enqueueOnce(open, outcomes);
    }
    return jobs.map(({ jobId }) => outcomes.get(jobId) as Enqueued);
  }

  async claim(request: ClaimRequest) {
    const { limit, kinds, runningMax, after, leaseMs, workerId, which, share } = request;
    if (which === 'alone') {
      const jobs = await this.#database.query(CLAIM_SUSPECT, [leaseMs, kinds, workerId]);
      return { jobs: jobs.map(claimedOf), capped: false, suspects: false };
    }
    const rows = await this.#database.query(CLAIM_JOBS, [
      limit,
      kinds,
      runningMax,
      after ?? NO_TENANT,
      leaseMs,
      workerId,
      which === undefined,
      storableJson(share?.held ?? {}),
      share?.heldMax ?? limit,
      share?.guests ?? 0,
    ]);
    return {
      jobs: rows.filter((row) => row['job_id'] !== null).map(claimedOf),
      capped: rows[0]?.['capped'] === true,
      suspects: which === 'shared' && rows[0]?.['suspects'] === true,
    };
  }

  async heldBy(workerId: string) {
    return (await this.#database.query(SELECT_HELD_JOBS, [workerId])).map(claimedOf);
  }

  async renew(renewals: readonly Renewal[], leaseMs: number): Promise<readonly RenewOutcome[]> {
    const given = renewals.map(({ jobId, leaseToken, events }) => ({
      id: jobId,
      token: leaseToken,
      seq: events.at(-1)?.seq ?? 0,
    }));
    const rows = await this.#database.query(RENEW_JOBS, [
      storableJson(given),
      leaseMs,
      storableJson(encodeEvents(renewals)),
    ]);
    const held = new Map(rows.map((row) => [leaseKeyOfRow(row), row['cancel_requested'] === true]));
    return renewals.map((renewal) => {
      const cancel = held.get(leaseKey(renewal));
      return cancel === undefined ? 'lost' : cancel ? 'cancel' : 'held';
    });
  }

  async settle(settlements: readonly Settlement[]): Promise<readonly boolean[]> {
    const given = settlements.map((settlement) => ({
      id: settlement.jobId,
      token: settlement.leaseToken,
      status: statusAfter(settlement.outcome),
      back: settlement.outcome === 'release' ? 1 : 0,
      delay: settlement.delayMs ?? 0,
      error: settlement.error ?? null,
      seq: settlement.events.at(-1)?.seq ?? 0,
      steps: settlement.hadSteps,
      ran: Math.max(0, Math.round(settlement.ranMs ?? 0)),
    }));
    const events = encodeEvents(settlements);
    const rows = await this.#database.query(SETTLE_JOBS, [
      plainArray(given.map(({ id }) => id)),
      plainArray(given.map(({ token }) => token)),
      plainArray(given.map(({ status }) => status)),
      plainArray(given.map(({ back }) => back)),
      plainArray(given.map(({ delay }) => delay)),
      given.map(({ error }) => (error === null ? null : storableText(error))),
      plainArray(given.map(({ seq }) => seq)),
      plainArray(given.map(({ steps }) => steps)),
      plainArray(events.map(({ id }) => id)),
      plainArray(events.map(({ seq }) => seq)),
      plainArray(events.map(({ type }) => type)),
      events.map(({ message }) => (message === null ? null : storableText(message))),
      jsonLines(events.map(({ data }) => (data === null ? null : storableJson(data)))),
      plainArray(events.map(({ pct }) => pct ?? 'NULL')),
      plainArray(events.map(({ token }) => token)),
      plainArray(given.map(({ ran }) => ran)),
    ]);
    const taken = new Set(rows.map(leaseKeyOfRow));
    const open = given.filter(({ id, token }) => !taken.has(`${id} ${token}`));
    if (open.length > 0) {
      const before = await this.#database.query(FIND_SETTLED_JOBS, [storableJson(open)]);
      for (const row of before) taken.add(leaseKeyOfRow(row));
    }
    return settlements.map((settlement) => taken.has(leaseKey(settlement)));
  }

  async recordStep({ jobId, leaseToken, leaseMs, name, result }: StepWrite) {
    const rows = await this.#database.query(RECORD_STEP, [jobId, leaseToken, leaseMs, name, result]);
    return rows.length > 0;
  }

  async steps(jobId: string) {
    const rows = await this.#database.query(SELECT_STEPS, [jobId]);
    return rows.map((row) => ({ name: String(row['name']), result: String(row['result_json']) }));
  }

  async reap({ limit, backoffFirstMs, backoffMaxMs, fractions }: ReapRequest): Promise<readonly Reaped[]> {
    const rows = await this.#database.query(REAP_JOBS, [limit, backoffFirstMs, backoffMaxMs, fractions]);
    return rows.map((row) => ({
      tenantId: String(row['tenant_id']),
      jobId: String(row['job_id']),
      leaseToken: Number(row['lease_token']),
      kind: row['kind'] as Reaped['kind'],
      status: row['status'] as JobStatus,
    }));
  }

  async pullBack() {
    const { delayMaxMs, leaseMaxMs } = JOB_LIMITS;
    return (await this.#database.query(PULL_BACK_JOBS, [delayMaxMs, leaseMaxMs])).length;
  }

  async cancel(tenantId: string, jobId: string): Promise<ChangeOutcome> {
    const changed = await this.#database.query(CANCEL_JOB, [tenantId, jobId]);
    const job = await this.get(tenantId, jobId);
    if (!job) return { kind: 'missing' };
    if (changed.length > 0) return { kind: 'changed', job };
    return job.status === 'canceled' ? { kind: 'unchanged', job } : { kind: 'refused', job };
  }

  async retry(tenantId: string, jobId: string): Promise<ChangeOutcome> {
    const { changed, mayHaveChanged } = await this.#retryOnce(tenantId, jobId);
    if (changed) return { kind: 'changed', job: jobOf(changed) };
    const job = await this.get(tenantId, jobId);
    if (!job) return { kind: 'missing' };
    if (mayHaveChanged && !isEnded(job.status)) return { kind: 'changed', job };
    if (job.status === 'failed' || job.status === 'canceled') {
      const [twin] = await this.#database.query(FIND_TWIN, [tenantId, job.idempotencyKey]);
      if (twin) return { kind: 'twin', jobId: String(twin['job_id']) };
    }
    return { kind: 'refused', job };
  }

  async get(tenantId: string, jobId: string) {
    const [row] = await this.#database.query(read.SELECT_JOB, [tenantId, jobId]);
    return row && jobOf(row);
  }

  async list(tenantId: string, { status, kinds, after, limit }: JobFilter) {
    const range = [tenantId, kinds, status === undefined ? JOB_STATUSES : [status], limit];
    const rows = after
      ? await this.#database.query(read.SELECT_JOBS_AFTER, [...range, after.queuedAt, after.jobId])
      : await this.#database.query(read.SELECT_JOBS, range);
    return rows.map(jobOf);
  }

  async events(tenantId: string, jobId: string, { after, limit }: { after: number; limit: number }) {
    const rows = await this.#database.query(read.SELECT_EVENTS, [tenantId, jobId, after, limit]);
    return rows.map(eventOf);
  }

  async glance(tenantId: string, limit: number) {
    return (await this.#database.query(read.SELECT_JOB_GLANCES, [tenantId, limit])).map(glanceOf);
  }

  async counts(tenantId: string) {
    const [row] = await this.#database.query(read.COUNT_JOBS, [tenantId]);
    return { queued: Number(row?.['queued']), running: Number(row?.['running']) };
  }

  async overview(): Promise<QueueOverview> {
    const [row] = await this.#database.query(read.JOB_OVERVIEW, []);
    const workers = await this.#database.query(read.JOB_WORKERS, [JOB_LIMITS.workersShown]);
    const readyMs = numberOrNull(row?.['ready_ms']);
    return {
      queued: Number(row?.['queued']),
      running: Number(row?.['running']),
      oldestQueuedMs: readyMs === null ? null : Math.max(0, Math.round(readyMs)),
      workers: workers.map(workerOf),
    };
  }

  prune(request: { readonly olderThanMs: number; readonly limit: number }) {
    return pruneJobs(this.#database, request);
  }

  async remove(tenantId: string, jobId: string): Promise<Removal> {
    if (await removeJob(this.#database, tenantId, jobId)) return 'removed';
    return (await this.get(tenantId, jobId)) ? 'running' : 'missing';
  }

  /** Another job with the same key may be created between the check and the write. Then the unique index refuses it. */
  async #retryOnce(tenantId: string, jobId: string) {
    let mayHaveChanged = false;
    try {
      const rows = await this.#database.transaction((queries, mayHaveCommitted) => {
        mayHaveChanged = mayHaveCommitted;
        return queries.query(RETRY_JOB, [tenantId, jobId]);
      });
      return { changed: rows[0], mayHaveChanged };
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown;
      return { changed: undefined, mayHaveChanged };
    }
  }

  async #findRecentlyDone(
    { tenantId, idempotencyKey }: NewJob,
    reuseMs: number,
  ): Promise<Enqueued | undefined> {
    const [row] = await this.#database.query(FIND_RECENTLY_DONE, [tenantId, idempotencyKey, reuseMs]);
    return row && { jobId: String(row['job_id']), auditId: textOrNull(row['audit_id']), created: false };
  }

  async #insert(jobs: readonly NewJob[]): Promise<number> {
    const [first] = jobs;
    if (first && jobs.length >= BULK && jobs.every((job) => isLike(job, first))) {
      try {
        return await this.#insertAlike(first, jobs);
      } catch (thrown) {
        if (!isConflict(thrown)) throw thrown;
      }
    }
    const [row] = await this.#database.query(ENQUEUE_JOBS, [storableJson(jobs.map(encodeJob))]);
    return Number(row?.['n']);
  }

  async #insertAlike(first: NewJob, jobs: readonly NewJob[]): Promise<number> {
    const [row] = await this.#database.query(ENQUEUE_ALIKE_JOBS, [
      first.tenantId,
      first.kind,
      first.maxAttempts,
      first.priority ?? 0,
      first.delayMs ?? 0,
      plainArray(jobs.map(({ jobId }) => jobId)),
      plainArray(jobs.map(({ idempotencyKey }) => idempotencyKey)),
      jsonLines(jobs.map(({ payload }) => storableJson(payload))),
    ]);
    return Number(row?.['n']);
  }

  /** Returns the jobs that were neither inserted nor found. */
  async #enqueueOnce(jobs: readonly NewJob[], outcomes: Map<string, Enqueued>): Promise<NewJob[]> {
    const inserted = await this.#insert(jobs);
    if (inserted === jobs.length) {
      for (const { jobId, audit } of jobs) {
        outcomes.set(jobId, { jobId, auditId: audit?.auditId ?? null, created: true });
      }
      return [];
    }
    const rows = await this.#database.query(FIND_SAME_JOBS, [storableJson(jobs.map(encodeJob))]);
    for (const row of rows) {
      const [givenId, jobId] = [String(row['id']), String(row['job_id'])];
      // A job with the given id was created by this call, or by an earlier attempt of it.
      outcomes.set(givenId, { jobId, auditId: textOrNull(row['audit_id']), created: jobId === givenId });
    }
    return jobs.filter(({ jobId }) => !outcomes.has(jobId));
  }
}

/** In batches of this size, jobs hardly ever exist already, and checking for them first takes a third of the time. */
const BULK = 100;

function isLike(job: NewJob, first: NewJob): boolean {
  return (
    job.tenantId === first.tenantId &&
    job.kind === first.kind &&
    job.maxAttempts === first.maxAttempts &&
    job.priority === first.priority &&
    job.delayMs === first.delayMs &&
    job.audit === undefined
  );
}

function isConflict(thrown: unknown): boolean {
  return thrown instanceof SondeError && thrown.code === 'STORAGE_CONFLICT';
}

function encodeJob(job: NewJob) {
  const { audit } = job;
  return {
    id: job.jobId,
    tenant: job.tenantId,
    kind: job.kind,
    payload: job.payload,
    key: job.idempotencyKey,
    attempts: job.maxAttempts,
    priority: job.priority ?? 0,
    delay: job.delayMs ?? 0,
    ...(audit && {
      audit: audit.auditId,
      url: audit.url,
      canonical: audit.canonicalUrl,
      options: audit.options ?? {},
      recipe: audit.recipeVersion,
    }),
  };
}

/** Includes the token, because one call may contain the same job under two leases. */
function leaseKey({ jobId, leaseToken }: Lease): string {
  return `${jobId} ${leaseToken}`;
}

function leaseKeyOfRow(row: PgRow): string {
  return `${String(row['job_id'])} ${String(row['lease_token'])}`;
}

function encodeEvents(writes: readonly (Lease & { readonly events: readonly NewJobEvent[] })[]) {
  return writes.flatMap(({ jobId, leaseToken, events }) =>
    events.map(({ seq, type, message, data, progressPct }) => ({
      id: jobId,
      token: leaseToken,
      seq,
      type,
      message,
      data,
      pct: progressPct,
    })),
  );
}
