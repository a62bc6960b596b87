/** Maps rows of SQLite to the ports' types. */
import { type ColumnTypes, jobRows, recordRows } from '../portable/record-rows.js';

const COLUMNS: ColumnTypes = {
  ms: Number,
  json: (value) => JSON.parse(String(value)),
  flag: (value) => value === 1,
};

export const { jobOf, glanceOf, claimedOf, workerOf, eventOf } = jobRows(COLUMNS);
export const { tenantOf, auditOf, webhookOf, deliveryOf } = recordRows(COLUMNS);

/** The progress of a job, from its last event with a percentage. */
export const PROGRESS = `(SELECT e.progress_pct FROM audit_progress_events e
  WHERE e.job_id = j.job_id AND e.progress_pct IS NOT NULL ORDER BY e.seq DESC LIMIT 1) AS progress_pct`;
