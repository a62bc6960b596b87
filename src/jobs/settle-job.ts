/** Decides the settlement of a job whose handler has ended. Pure, except that it takes the job's last events. */
import type { Redactor } from '../net/index.js';
import { backoffMs } from './backoff.js';
import type { HeldJob } from './held-job.js';
import type { JobStatus } from './job.js';
import { failureText, isPermanent, retryAfterOf } from './job-failure.js';
import { JOB_LIMITS } from './job-limits.js';
import type { Settlement } from './job-store.js';
import type { EventDraft } from './progress-buffer.js';

export type Ending =
  | { readonly kind: 'returned'; readonly result: unknown }
  | { readonly kind: 'threw'; readonly thrown: unknown };

export interface SettleDeps {
  readonly redactor: Redactor;
  readonly random: () => number;
}

type Verdict = Pick<Settlement, 'outcome' | 'delayMs' | 'error'>;

const BACKOFF = { firstMs: JOB_LIMITS.backoffFirstMs, maxMs: JOB_LIMITS.backoffMaxMs };

export function settlementOf(held: HeldJob, ending: Ending, deps: SettleDeps): Settlement {
  const { jobId, leaseToken } = held.job;
  const verdict = ending.kind === 'returned' ? DONE : judge(held, ending.thrown, deps);
  const events = held.buffer.close(lastEvent(held, ending, verdict));
  return { jobId, leaseToken, ...verdict, events, hadSteps: held.mayHaveSteps };
}

/** Releases a job that was never started, as if it had not been claimed. */
export function releaseOf(held: HeldJob): Settlement {
  const { jobId, leaseToken } = held.job;
  return { jobId, leaseToken, outcome: 'release', events: [], hadSteps: false };
}

/** The status that a settlement gives a job, unless a cancel was requested. */
export function statusAfter(outcome: Settlement['outcome']): JobStatus {
  return outcome === 'again' || outcome === 'release' ? 'queued' : outcome;
}

const DONE: Verdict = { outcome: 'done' };

function judge({ stopped, job, reason }: HeldJob, given: unknown, deps: SettleDeps): Verdict {
  if (stopped === 'cancel') return { outcome: 'canceled' };
  if (stopped === 'stop') return { outcome: 'release' };
  const thrown = stopped === 'overdue' ? reason : given;
  const error = deps.redactor.truncated(failureText(thrown), JOB_LIMITS.errorChars);
  if (isPermanent(thrown) || job.attempt >= job.maxAttempts) return { outcome: 'failed', error };
  const backoff = backoffMs(job.attempt, BACKOFF, deps.random());
  const delayMs = Math.min(JOB_LIMITS.delayMaxMs, Math.max(backoff, retryAfterOf(thrown)));
  return { outcome: 'again', error, delayMs };
}

function lastEvent({ job }: HeldJob, ending: Ending, { outcome, error, delayMs }: Verdict): EventDraft {
  const status = statusAfter(outcome);
  const event = { type: 'status_changed', message: status } as const;
  const data = { status, attempt: job.attempt };
  if (ending.kind === 'threw') {
    const why = { ...(error !== undefined && { error }), ...(delayMs !== undefined && { delayMs }) };
    // The error is already redacted, and everything else is our own text.
    return { ...event, data: { ...data, ...why }, isTrusted: true };
  }
  const { result } = ending;
  if (result === undefined) return { ...event, data, percent: 100, isTrusted: true };
  return { ...event, data: { ...data, result }, percent: 100 };
}
