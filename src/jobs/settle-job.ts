/** Decides the settlement of a job whose handler has ended. Pure, except that it takes the job's last events. */
import type { Redactor } from '../net/index.js';
import { type Backoff, backoffMs } from './backoff.js';
import type { HeldJob } from './held-job.js';
import { failureText, isPermanent, retryAfterOf } from './job-failure.js';
import { JOB_LIMITS } from './job-limits.js';
import type { Settlement } from './job-store.js';
import type { EventDraft } from './progress-buffer.js';

export type Ending =
  | { readonly kind: 'returned'; readonly result: unknown }
  | { readonly kind: 'threw'; readonly thrown: unknown };

export interface SettleDeps {
  readonly redactor: Redactor;
  readonly backoff: Backoff;
  readonly random: () => number;
}

type Verdict = Pick<Settlement, 'outcome' | 'delayMs' | 'error'>;

export function settlementOf(held: HeldJob, ending: Ending, deps: SettleDeps): Omit<Settlement, 'hadSteps'> {
  const { jobId, leaseToken } = held.job;
  const verdict = ending.kind === 'returned' ? DONE : judge(held, ending.thrown, deps);
  return { jobId, leaseToken, ...verdict, events: held.buffer.close(lastEvent(held, ending, verdict)) };
}

/** Releases a job that was never started, as if it had not been claimed. */
export function releaseOf(held: HeldJob): Settlement {
  const { jobId, leaseToken } = held.job;
  return { jobId, leaseToken, outcome: 'release', events: [], hadSteps: false };
}

const DONE: Verdict = { outcome: 'done' };

function judge({ stopped, job }: HeldJob, thrown: unknown, deps: SettleDeps): Verdict {
  if (stopped === 'cancel') return { outcome: 'canceled' };
  if (stopped === 'stop') return { outcome: 'release' };
  const error = deps.redactor.truncated(failureText(thrown), JOB_LIMITS.errorChars);
  if (isPermanent(thrown) || job.attempt >= job.maxAttempts) return { outcome: 'failed', error };
  const backoff = backoffMs(job.attempt, deps.backoff, deps.random());
  return {
    outcome: 'again',
    error,
    delayMs: Math.min(JOB_LIMITS.delayMaxMs, Math.max(backoff, retryAfterOf(thrown))),
  };
}

const STATUSES: Readonly<Record<Settlement['outcome'], string>> = {
  done: 'done',
  failed: 'failed',
  canceled: 'canceled',
  again: 'queued',
  release: 'queued',
};

function lastEvent({ job }: HeldJob, ending: Ending, { outcome, error, delayMs }: Verdict): EventDraft {
  const status = STATUSES[outcome];
  const { attempt } = job;
  if (ending.kind === 'returned') {
    const { result } = ending;
    if (result === undefined) {
      return {
        type: 'status_changed',
        message: status,
        data: { status, attempt },
        percent: 100,
        isTrusted: true,
      };
    }
    return { type: 'status_changed', message: status, data: { status, attempt, result }, percent: 100 };
  }
  return {
    type: 'status_changed',
    message: status,
    // The error is already redacted, and everything else is our own text.
    data: {
      status,
      attempt,
      ...(error !== undefined && { error }),
      ...(delayMs !== undefined && { delayMs }),
    },
    isTrusted: true,
  };
}
