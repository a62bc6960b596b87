/** The function that runs jobs of a kind. The composition root maps kinds to handlers in one list. */

import type { JobKind } from './job-kinds.js';
import type { ClaimedJob } from './job-store.js';
import type { RunContext } from './steps.js';

export interface JobRun extends RunContext {
  readonly job: Omit<ClaimedJob, 'payload'>;
  /**
   * Runs a wait: for a target, or for time to pass. Meanwhile the job's slot in the worker is free for other jobs. A job
   * may have several waits at once; it counts as waiting while at least one is under way.
   */
  during<T>(wait: () => Promise<T>): Promise<T>;
}

/**
 * Returns the result of the job as JSON; it is stored with the job's last event. Throws a `JobFailure`, or any other
 * error, which is retried. When `signal` is aborted, it should throw `signal.reason` soon.
 */
export type JobHandler = (payload: unknown, run: JobRun) => Promise<unknown>;

export type JobHandlers = Readonly<Partial<Record<JobKind, JobHandler>>>;
