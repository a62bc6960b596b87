/** What does the work of a kind. Handlers are joined to their kinds by the composition root, one list. */

import type { JobKind } from './job-kinds.js';
import type { ClaimedJob } from './job-store.js';
import type { RunContext } from './steps.js';

export interface JobRun extends RunContext {
  readonly job: Omit<ClaimedJob, 'payload'>;
}

/**
 * Returns what the job came to, as JSON; it is kept with the job's last event. Throws a `JobFailure`, or
 * anything else, which is tried again. When `signal` is aborted it should throw `signal.reason` soon.
 */
export type JobHandler = (payload: unknown, run: JobRun) => Promise<unknown>;

export type JobHandlers = Readonly<Partial<Record<JobKind, JobHandler>>>;
