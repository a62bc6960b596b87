/**
 * The port of the queue. Every write is durable when its promise resolves. Leases and schedules use the store's own
 * clock, so that workers' clocks do not matter.
 *
 * A call may be repeated after its response was lost: ids and sequence numbers come from the caller, and the store
 * recognizes a repeated write. A claim is the exception: `heldBy` returns the jobs that a lost claim took.
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
  /** Only with kind `audit`: the audit's row, created together with the job. */
  readonly audit?: NewAudit;
}

export interface NewAudit {
  readonly auditId: string;
  readonly url: string;
  readonly canonicalUrl: string;
  readonly options: unknown;
  readonly recipeVersion: string;
  /** Reuse an audit with the same key that finished at most this long ago. */
  readonly reuseMs?: number;
}

export interface Enqueued {
  readonly jobId: string;
  readonly auditId: string | null;
  /** False if the job already existed: queued, running or recently done. */
  readonly created: boolean;
}

export interface ClaimRequest {
  readonly workerId: string;
  readonly kinds: readonly JobKind[];
  readonly limit: number;
  readonly leaseMs: number;
  /** Default limit of running jobs per tenant; quotas override it. */
  readonly runningMax: number;
  /** The tenant served last; others come first. */
  readonly after: string | null;
  /**
   * A job whose worker died and that has one attempt left is a suspect and must run alone. `shared` skips suspects,
   * `alone` claims one. If absent, any job is claimed, for hosts where every job runs alone.
   */
  readonly which?: 'shared' | 'alone';
  /** Shares the places of this worker between tenants. If absent, a tenant may take all of them. */
  readonly share?: WorkerShare;
}

/** A tenant never takes all places of a process, so that one is always free for somebody else. */
export interface WorkerShare {
  /** How many jobs, or deliveries, the process holds, by tenant id. */
  readonly held: Readonly<Record<string, number>>;
  /** How many of one tenant it may hold. */
  readonly heldMax: number;
  /** How many to claim in addition to `limit`: one for each tenant of which the process holds none. */
  readonly guests: number;
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
  /** How long earlier attempts ran. */
  readonly ranMs?: number;
}

export interface Claimed {
  readonly jobs: readonly ClaimedJob[];
  /** A tenant reached its limit of running jobs or its share, so another job may be ready when one ends. */
  readonly capped: boolean;
  /** Suspects are ready and were skipped. */
  readonly suspects: boolean;
}

export interface Renewal extends Lease {
  readonly events: readonly NewJobEvent[];
}

/** `lost`: the job has another holder or none. */
export type RenewOutcome = 'held' | 'cancel' | 'lost';

/**
 * How a holder ends its lease. `again` counts the attempt and delays the next; `release` returns a job that was not
 * started, or that we interrupted, as if it had not been claimed.
 */
export interface Settlement extends Lease {
  readonly outcome: EndedStatus | 'again' | 'release';
  readonly delayMs?: number;
  readonly error?: string;
  readonly events: readonly NewJobEvent[];
  /** Whether steps may have been recorded; the store deletes those of a done job. */
  readonly hadSteps: boolean;
  /** How long the job ran under this lease; the store adds it up. */
  readonly ranMs?: number;
}

export interface ReapRequest {
  readonly limit: number;
  readonly backoffFirstMs: number;
  readonly backoffMaxMs: number;
  /** `limit` random numbers in [0, 1), one per job, for full jitter. */
  readonly fractions: readonly number[];
}

export type Reaped = Lease & Pick<Job, 'tenantId' | 'kind' | 'status'>;

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
  /** A retry whose work another job is already doing. */
  | { readonly kind: 'twin'; readonly jobId: string }
  | { readonly kind: 'missing' };

/** Enough of a job to notice that it has changed. */
export type JobGlance = Pick<Job, 'jobId' | 'auditId' | 'kind' | 'status' | 'eventSeq'>;

export interface QueueOverview extends QueueCounts {
  /** How long the oldest ready job has waited; null if none is ready. */
  readonly oldestQueuedMs: number | null;
  /** Workers that hold leases, at most `JOB_LIMITS.workersShown`. Times are milliseconds since the epoch. */
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
  /** JSON text, so that a store need not parse it. */
  readonly result: string;
}

export interface StepWrite extends Lease, RecordedStep {
  readonly leaseMs: number;
}

export interface JobStore {
  /** All or none. Returns one outcome per job, in order. */
  enqueue(jobs: readonly NewJob[]): Promise<readonly Enqueued[]>;
  /** Claims ready jobs of the kinds, in the order in which they should start: one per tenant, in turn. */
  claim(request: ClaimRequest): Promise<Claimed>;
  /** All jobs that the worker holds, including those of a claim whose response was lost. */
  heldBy(workerId: string): Promise<readonly ClaimedJob[]>;
  /** Returns one outcome per renewal, in order. */
  renew(renewals: readonly Renewal[], leaseMs: number): Promise<readonly RenewOutcome[]>;
  /** Returns whether each was accepted, in order. A repeat of an earlier settlement of the same lease is accepted. */
  settle(settlements: readonly Settlement[]): Promise<readonly boolean[]>;
  /** Returns false if the lease is lost and nothing was written. */
  recordStep(step: StepWrite): Promise<boolean>;
  steps(jobId: string): Promise<readonly RecordedStep[]>;
  /** Requeues or ends the jobs of expired leases. */
  reap(request: ReapRequest): Promise<readonly Reaped[]>;
  /**
   * Repairs deadlines that a fast clock set too far in the future: a job that was queued or started later than now, or
   * that waits or is leased for longer than the maximum, becomes ready or expired. Returns the number of changed jobs.
   */
  pullBack(): Promise<number>;
  cancel(tenantId: string, jobId: string): Promise<ChangeOutcome>;
  retry(tenantId: string, jobId: string): Promise<ChangeOutcome>;
  /** Deletes a job that has ended, with its events and, if it did an audit, the audit. */
  remove(tenantId: string, jobId: string): Promise<Removal>;
  get(tenantId: string, jobId: string): Promise<Job | undefined>;
  /** Newest first. */
  list(tenantId: string, filter: JobFilter): Promise<readonly Job[]>;
  /** The events of a tenant's job after `after`, in order. */
  events(
    tenantId: string,
    jobId: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly JobEvent[]>;
  /** Jobs that may have changed recently: the newest ones and the running ones, at most `limit` of each. */
  glance(tenantId: string, limit: number): Promise<readonly JobGlance[]>;
  counts(tenantId: string): Promise<QueueCounts>;
  /** The queue of all tenants, for operators. */
  overview(): Promise<QueueOverview>;
  /**
   * Deletes jobs that ended more than `olderThanMs` ago, oldest first, with everything that belongs to them. Takes
   * bounded time: a job with many events needs several calls. Returns the number of deleted rows, 0 only if no job is
   * due.
   */
  prune(request: { readonly olderThanMs: number; readonly limit: number }): Promise<number>;
}

/** A change made by another process. Hints may be lost: polling and heartbeats find the change anyway. */
export type JobHint = { readonly kind: 'ready' } | { readonly kind: 'cancel'; readonly jobId: string };

export interface JobHints {
  /** Resolves to a function that unsubscribes. */
  subscribe(onHint: (hint: JobHint) => void): Promise<() => Promise<void>>;
}
