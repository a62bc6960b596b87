/**
 * How the rows of runs end. A run is a job and its row, created in one transaction; the row names its job. The database
 * ends what still runs when the job ends, and as soon as its cancelation is requested, so that no reader waits in vain.
 * A run usually ends its row itself, before its job ends.
 *
 * The statements are the body of a trigger of the job table, the same on SQLite and PostgreSQL (`record-schema.ts`,
 * `migrations/`). `NEW` is the job. A suite's comparisons name the suite's job.
 */
import { RUN_CANCELED, RUN_INTERRUPTED } from '../compare/index.js';
import type { JobKind } from '../jobs/index.js';

export interface RunKind {
  readonly kinds: readonly JobKind[];
  readonly ends: readonly string[];
}

const ERROR = `CASE WHEN NEW.status = 'canceled' OR NEW.cancel_requested THEN '${RUN_CANCELED}' ELSE '${RUN_INTERRUPTED}' END`;
const OF_JOB = 'job_id = CAST(NEW.job_id AS TEXT)';
const END = `status = 'failed', error = ${ERROR}, left_sealed = NULL, right_sealed = NULL`;

const pendingOf = (status: 'running' | 'completed') =>
  `state = 'pending' AND comparison_id IN (SELECT id FROM comparisons WHERE ${OF_JOB} AND status = '${status}')`;

/** A comparison that has its result keeps it; then only a pending explanation ends, with the reason. */
export const COMPARE_RUNS: RunKind = {
  kinds: ['compare', 'suite'],
  ends: [
    `UPDATE explanations SET state = 'off' WHERE ${pendingOf('running')}`,
    `UPDATE explanations SET state = 'failed', text_json = '{"error":' || ${ERROR} || '}' WHERE ${pendingOf('completed')}`,
    `UPDATE comparisons SET ${END} WHERE ${OF_JOB} AND status = 'running'`,
    `UPDATE suites SET ${END} WHERE id = CAST(NEW.job_id AS TEXT) AND status = 'running'`,
  ],
};
