/**
 * The port of the queue. Everything is durable when its promise resolves. Leases and schedules go by the
 * store's own clock, so that workers' clocks do not matter.
 *
 * Calls may be repeated after their response was lost: ids and sequence numbers come from the caller, and a
 * repeated write is recognised. A claim is the exception: `heldBy` returns what a lost one took.
 */
import type { Removal } from '../removal.js';
import type { EndedStatus, Job, JobEvent, JobStatus, Lease, NewJobEvent } from './job.js';
import type { JobKind } from './job-kinds.js';

export interface NewJob {
  readonly jobId: string;
  readonly tenantId: string;
  readonly kind: JobKind;
  readonly payload: unknown;
  /** 64 hex digits. */
  readonly idempotencyKey: string;
  readonly maxAttempts: number;
  readonly priority?: number;
  readonly delayMs?: number;
  /** With kind `audit`, and only then: its row, made together with the job. */
  readonly audit?: NewAudit;
}

export interface NewAudit {
  readonly auditId: string;
  readonly url: string;
  readonly canonicalUrl: string;
  readonly options: unknown;
  readonly recipeVersion: string;
  /** Reuse an audit of the same key that finished at most this long ago. */
  readonly reuseMs?: number;
}

export interface Enqueued {
  readonly jobId: string;
  readonly auditId: string | null;
  /** False: the job existed before, queued, running or recently done. */
  readonly created: boolean;
}

export interface ClaimRequest {
  readonly workerId: string;
  readonly kinds: readonly JobKind[];
  readonly limit: number;
  readonly leaseMs: number;
  /** Default limit of running jobs per tenant; quotas override it. */
  readonly runningMax: number;
  /** The tenant served last: others come first. */
  readonly after: string | null;
  /**
   * A job whose worker died, and that has one attempt left, is a suspect: it is to be tried alone. `shared` leaves
   * suspects, `alone` takes one; without it any job is taken, for hosts where every job runs alone.
   */
  readonly which?: 'shared' | 'alone';
}

export interface ClaimedJob extends Lease {
  readonly tenantId: string;
  /** The tenant's slug. */
  readonly tenant: string;
  readonly auditId: string | null;
  readonly kind: JobKind;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly payload: unknown;
  readonly eventSeq: number;
  readonly progressPct: number | null;
}

export interface Claimed {
  readonly jobs: readonly ClaimedJob[];
  /** A tenant reached its limit of running jobs: when one ends, another may be ready. */
  readonly capped: boolean;
  /** Suspects are ready and were left. */
  readonly suspects: boolean;
}

export interface Renewal extends Lease {
  readonly events: readonly NewJobEvent[];
}

/** `lost`: the job has another holder, or none. */
export type RenewOutcome = 'held' | 'cancel' | 'lost';

/**
 * How a holder gives up its lease. `again` counts the attempt and waits; `release` returns a job that was not started,
 * or that we interrupted, as if it had not been claimed.
 */
export interface Settlement extends Lease {
  readonly outcome: EndedStatus | 'again' | 'release';
  readonly delayMs?: number;
  readonly error?: string;
  readonly events: readonly NewJobEvent[];
  /** Whether steps were recorded, which a done job needs no longer. */
  readonly hadSteps: boolean;
}

export interface ReapRequest {
  readonly limit: number;
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** One in [0, 1) for each of `limit`: full jitter, a job each. */
  readonly fractions: readonly number[];
}

export interface Reaped extends Lease {
  readonly tenantId: string;
  readonly kind: JobKind;
  readonly status: JobStatus;
}

export interface JobFilter {
  readonly status?: JobStatus;
  readonly kinds: readonly JobKind[];
  /** Continues after this job. */
  readonly after?: { readonly queuedAt: number; readonly jobId: string };
  readonly limit: number;
}

export type ChangeOutcome =
  | { readonly kind: 'changed'; readonly job: Job }
  | { readonly kind: 'unchanged'; readonly job: Job }
  | { readonly kind: 'refused'; readonly job: Job }
  /** A retry whose work another job is doing already. */
  | { readonly kind: 'twin'; readonly jobId: string }
  | { readonly kind: 'missing' };

/** Enough of a job to notice that it has changed. */
export type JobGlance = Pick<Job, 'jobId' | 'auditId' | 'kind' | 'status' | 'eventSeq'>;

export interface QueueOverview extends QueueCounts {
  /** How long the job that has been ready longest has waited; null if none is. */
  readonly oldestQueuedMs: number | null;
  /** Those that hold leases, at most `JOB_LIMITS.workersShown`. Times are milliseconds since the epoch. */
  readonly workers: readonly WorkerLeases[];
}

export interface WorkerLeases {
  readonly workerId: string;
  readonly jobs: number;
  readonly leaseUntil: number;
  readonly oldestStartedAt: number;
}

export interface QueueCounts {
  readonly queued: number;
  readonly running: number;
}

export interface RecordedStep {
  readonly name: string;
  readonly result: string;
}

/** JSON text of a step's result, so that a store need not read it. */
export interface StepWrite extends Lease {
  readonly name: string;
  readonly result: string;
  readonly leaseMs: number;
}

export interface JobStore {
  /** All or none. One outcome for each, in order. */
  enqueue(jobs: readonly NewJob[]): Promise<readonly Enqueued[]>;
  /** Ready jobs of the kinds, in the order in which they should be begun: one per tenant, in turn. */
  claim(request: ClaimRequest): Promise<Claimed>;
  /** What the worker holds by the store's account: more than it knows of, if the response to a claim was lost. */
  heldBy(workerId: string): Promise<readonly ClaimedJob[]>;
  /** One outcome for each, in order. */
  renew(renewals: readonly Renewal[], leaseMs: number): Promise<readonly RenewOutcome[]>;
  /** Whether each was taken, in order; a settlement that the same lease has made before counts as taken. */
  settle(settlements: readonly Settlement[]): Promise<readonly boolean[]>;
  /** False: the lease is lost and nothing was written. */
  recordStep(step: StepWrite): Promise<boolean>;
  steps(jobId: string): Promise<readonly RecordedStep[]>;
  /** Expired leases: back to the queue, or to their end. */
  reap(request: ReapRequest): Promise<readonly Reaped[]>;
  /**
   * Makes ready or expired what a clock that was ahead has put absurdly far into the future: a job that was queued or
   * begun later than now, or waits or is leased for longer than any may be. Returns how many jobs it moved.
   */
  pullBack(): Promise<number>;
  cancel(tenantId: string, jobId: string): Promise<ChangeOutcome>;
  retry(tenantId: string, jobId: string): Promise<ChangeOutcome>;
  /** Drops a job that has ended, with its events and, if it did an audit, the audit. */
  remove(tenantId: string, jobId: string): Promise<Removal>;
  get(tenantId: string, jobId: string): Promise<Job | undefined>;
  /** Youngest first. */
  list(tenantId: string, filter: JobFilter): Promise<readonly Job[]>;
  /** Of a job of the tenant, in order, behind `after`. */
  events(
    tenantId: string,
    jobId: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly JobEvent[]>;
  /** What may have changed lately: the newest jobs and the running ones, at most `limit` of each. */
  glance(tenantId: string, limit: number): Promise<readonly JobGlance[]>;
  counts(tenantId: string): Promise<QueueCounts>;
  /** The queue of all tenants, for operators. */
  overview(): Promise<QueueOverview>;
  /**
   * Drops jobs that ended before, oldest first, with everything that belongs to them. Takes a bounded time: a job with
   * many events goes in several calls. Returns how many rows went, 0 only if no job is due.
   */
  prune(request: { readonly olderThanMs: number; readonly limit: number }): Promise<number>;
}

/** What may have happened elsewhere. A hint can be lost: polling and heartbeats find out anyway. */
export type JobHint = { readonly kind: 'ready' } | { readonly kind: 'cancel'; readonly jobId: string };

export interface JobHints {
  /** Until the response is called. */
  subscribe(onHint: (hint: JobHint) => void): Promise<() => Promise<void>>;
}
