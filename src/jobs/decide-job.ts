/**
 * The life of a job as one pure decision: its state and an event give the next state, or why not. Both stores
 * follow it (in SQL), and the contract suite holds every cell of the table against each of them.
 *
 *   queued ──claim──▶ running ──done──▶ done
 *     ▲ ▲ │             │ │ └──fail, poison──▶ failed ──┐
 *     │ │ └──cancel──┐  │ └──cancel seen───▶ canceled ──┤
 *     │ └─again, release, expiry─┘                      │
 *     └──────────────retry (by a person)────────────────┘
 *
 * Only the holder of the current lease ends a running job, or expiry in its place, when a cancel was requested or the
 * attempts are used up. The worker may have died of a neighbour, so a last attempt that expires counts only if the
 * one before it expired too: then it was made alone. `done` is never left.
 */
import { type JobStatus, LEASE_EXPIRED } from './job.js';

export type JobEventKind =
  /** A worker takes it. */
  | 'claim'
  /** The holder's writes. */
  | 'renew'
  | 'step'
  | 'done'
  | 'failed'
  | 'again'
  | 'release'
  | 'canceled'
  /** The reaper finds its lease expired. */
  | 'expire'
  /** A person asks. */
  | 'cancel'
  | 'retry';

export interface JobSnapshot {
  readonly status: JobStatus;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly cancelRequested: boolean;
  readonly lastError: string | null;
  /** Whether the writer names the current lease; only the holder's writes ask. */
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
      // Work that was canceled does not return to the queue.
      return moves(cancelRequested ? 'canceled' : 'queued');
    default:
      return moves(event);
  }
}
