/** The states, the row and the events of a job. */
import type { JobKind } from './job-kinds.js';

export const JOB_STATUSES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Final states, which only an explicit retry leaves. */
export const ENDED_STATUSES = ['done', 'failed', 'canceled'] as const satisfies readonly JobStatus[];
export type EndedStatus = (typeof ENDED_STATUSES)[number];

export function isEnded(status: JobStatus): status is EndedStatus {
  return (ENDED_STATUSES as readonly JobStatus[]).includes(status);
}

/** Times are milliseconds since the epoch, by the store's clock. */
export interface Job {
  readonly jobId: string;
  readonly tenantId: string;
  /** Null unless the kind is `audit`. */
  readonly auditId: string | null;
  readonly kind: JobKind;
  readonly status: JobStatus;
  /** How often it was started. Reset by an explicit retry, so it cannot serve as a fencing token. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly queuedAt: number;
  readonly runAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly lockedUntil: number | null;
  readonly lockedBy: string | null;
  /** 64 hex digits; unique among the queued and running jobs of a tenant. */
  readonly idempotencyKey: string;
  readonly payload: unknown;
  readonly lastError: string | null;
  /** Within a tenant, smaller runs sooner. */
  readonly priority: number;
  /** The fencing token: grows with every claim and never decreases. */
  readonly leaseToken: number;
  readonly cancelRequested: boolean;
  readonly eventSeq: number;
  readonly progressPct: number | null;
}

/**
 * The last error of a job whose lease expired. Stores compare it: a job with this error on its last attempt may be the
 * one that kills its workers, so it runs alone.
 */
export const LEASE_EXPIRED = 'the lease expired: its worker died or lost the store';

/** A lease on a running job; every write of its holder includes both. */
export interface Lease {
  readonly jobId: string;
  readonly leaseToken: number;
}

export const EVENT_TYPES = [
  'status_changed',
  'step_started',
  'step_done',
  'warning',
  'error',
  'metric',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** `message` and `data` are already redacted. */
export interface NewJobEvent {
  readonly seq: number;
  readonly type: EventType;
  readonly message: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly progressPct: number | null;
}

export interface JobEvent extends NewJobEvent {
  readonly eventId: string;
  readonly jobId: string;
  readonly auditId: string | null;
  readonly createdAt: number;
}
