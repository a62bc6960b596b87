/** The function that runs jobs of a kind. The composition root maps kinds to handlers in one list. */

import type { JobKind } from './job-kinds.js';
import type { ClaimedJob } from './job-store.js';
import type { RunContext } from './steps.js';

export interface JobRun extends RunContext {
  readonly job: Omit<ClaimedJob, 'payload'>;
}

/**
 * Returns the result of the job as JSON; it is stored with the job's last event. Throws a `JobFailure`, or any other
 * error, which is retried. When `signal` is aborted, it should throw `signal.reason` soon.
 */
export type JobHandler = (payload: unknown, run: JobRun) => Promise<unknown>;

export type JobHandlers = Readonly<Partial<Record<JobKind, JobHandler>>>;
