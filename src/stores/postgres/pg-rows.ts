/** Maps rows of PostgreSQL to the ports' types. */
import type { QueueOverview } from '../../jobs/index.js';
import { type ColumnTypes, jobRows, recordRows } from '../portable/record-rows.js';
import type { PgRow } from './pg-database.js';

const asMs = (value: unknown): number => (value as Date).getTime();

const COLUMNS: ColumnTypes = {
  ms: asMs,
  json: (value) => value,
  flag: (value) => value === true,
};

export const { jobOf, glanceOf, claimedOf, eventOf } = jobRows(COLUMNS);
export const { tenantOf, auditOf, webhookOf, deliveryOf } = recordRows(COLUMNS);

export function overviewOf(row: PgRow | undefined, workers: readonly PgRow[]): QueueOverview {
  const readyMs = row?.['ready_ms'];
  return {
    queued: Number(row?.['queued']),
    running: Number(row?.['running']),
    oldestQueuedMs:
      readyMs === null || readyMs === undefined ? null : Math.max(0, Math.round(Number(readyMs))),
    workers: workers.map((worker) => ({
      workerId: String(worker['locked_by']),
      jobs: Number(worker['jobs']),
      leaseUntil: asMs(worker['lease_until']),
      oldestStartedAt: asMs(worker['started_at']),
    })),
  };
}
