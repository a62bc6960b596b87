/**
 * The state machine of a job as a pure function: a state and an event give the next state or a refusal. The stores
 * implement it in SQL, and the contract suite checks every cell of the table against each of them.
 *
 *   queued ──claim──▶ running ──done──▶ done
 *     ▲ ▲ │             │ │ └──fail, poison──▶ failed ──┐
 *     │ │ └──cancel──┐  │ └──cancel seen───▶ canceled ──┤
 *     │ └─again, release, expiry─┘                      │
 *     └──────────────retry (by a user)──────────────────┘
 *
 * Only the holder of the current lease ends a running job. If the lease expires, the reaper ends it instead when a
 * cancel was requested or the attempts are used up. Another job may have killed the worker, so an expired last attempt
 * counts only if the attempt before it expired too: then the job ran alone. `done` is final.
 */
import { type Job, type JobStatus, LEASE_EXPIRED } from './job.js';

export type JobEventKind =
  /** A worker claims the job. */
  | 'claim'
  /** Writes of the lease holder. */
  | 'renew'
  | 'step'
  | 'done'
  | 'failed'
  | 'again'
  | 'release'
  | 'canceled'
  /** The reaper finds the lease expired. */
  | 'expire'
  /** Requested by a user. */
  | 'cancel'
  | 'retry';

export interface JobSnapshot
  extends Pick<Job, 'status' | 'attempt' | 'maxAttempts' | 'cancelRequested' | 'lastError'> {
  /** Whether the writer holds the current lease; relevant only for writes of the holder. */
  readonly holds: boolean;
}

export type JobVerdict =
  | { readonly kind: 'moves'; readonly to: JobStatus }
  | { readonly kind: 'stays' }
  | { readonly kind: 'refused' };

const moves = (to: JobStatus): JobVerdict => ({ kind: 'moves', to });
const STAYS: JobVerdict = { kind: 'stays' };
const REFUSED: JobVerdict = { kind: 'refused' };

export function decideJob(job: JobSnapshot, event: JobEventKind): JobVerdict {
  switch (event) {
    case 'claim':
      return job.status === 'queued' ? moves('running') : REFUSED;
    case 'cancel':
      return decideCancel(job.status);
    case 'retry':
      return job.status === 'failed' || job.status === 'canceled' ? moves('queued') : REFUSED;
    case 'expire':
      return job.status === 'running' ? moves(afterExpiry(job)) : REFUSED;
    default:
      return job.status === 'running' && job.holds ? decideHolder(job, event) : REFUSED;
  }
}

function decideCancel(status: JobStatus): JobVerdict {
  if (status === 'queued') return moves('canceled');
  return status === 'running' || status === 'canceled' ? STAYS : REFUSED;
}

function afterExpiry({ attempt, maxAttempts, cancelRequested, lastError }: JobSnapshot): JobStatus {
  if (cancelRequested) return 'canceled';
  return attempt < maxAttempts || lastError !== LEASE_EXPIRED ? 'queued' : 'failed';
}

type HolderEvent = Exclude<JobEventKind, 'claim' | 'cancel' | 'retry' | 'expire'>;

function decideHolder({ cancelRequested }: JobSnapshot, event: HolderEvent): JobVerdict {
  switch (event) {
    case 'renew':
    case 'step':
      return STAYS;
    case 'again':
    case 'release':
      // A canceled job does not return to the queue.
      return moves(cancelRequested ? 'canceled' : 'queued');
    default:
      return moves(event);
  }
}
