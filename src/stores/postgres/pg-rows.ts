/** Maps rows of PostgreSQL to the ports' types. */
import { type ColumnTypes, jobRows, recordRows } from '../portable/record-rows.js';

const COLUMNS: ColumnTypes = {
  ms: (value) => (value as Date).getTime(),
  json: (value) => value,
  flag: (value) => value === true,
};

export const { jobOf, glanceOf, claimedOf, workerOf, eventOf } = jobRows(COLUMNS);
export const { tenantOf, auditOf, webhookOf, deliveryOf } = recordRows(COLUMNS);
