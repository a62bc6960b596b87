/** Counts the deliveries of job webhooks that wait. Looks at a bounded number of them, the longest due first. */
import { numberOrNull, postgresOnly, query, type SqlWork } from './sql-work.js';

export interface WaitingDeliveries {
  /** Not attempted yet. */
  readonly due: number;
  /** Failed at least once. */
  readonly retrying: number;
  /** Of webhooks whose key this process does not have. */
  readonly keyMissing: number;
  /** How long ago the oldest of them was created; null if none waits. */
  readonly oldestMs: number | null;
}

export class DeliveryCounter {
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  *waiting({ keyId, limit }: { readonly keyId: string; readonly limit: number }): SqlWork<WaitingDeliveries> {
    const [row] = yield* query(SELECT_WAITING_DELIVERIES, [keyId, limit]);
    const oldest = numberOrNull(row?.['oldest']);
    return {
      due: Number(row?.['due'] ?? 0),
      retrying: Number(row?.['retrying'] ?? 0),
      keyMissing: Number(row?.['key_missing'] ?? 0),
      oldestMs: oldest === null ? null : Math.max(0, this.#clock() - oldest),
    };
  }
}

const COUNTS = `sum(CASE WHEN known = 1 AND attempt = 0 THEN 1 ELSE 0 END) AS due,
    sum(CASE WHEN known = 1 AND attempt > 0 THEN 1 ELSE 0 END) AS retrying,
    sum(1 - known) AS key_missing`;
const WAITING = `SELECT d.attempt, d.created_at, CASE WHEN w.key_id = ? THEN 1 ELSE 0 END AS known
    FROM webhook_deliveries d JOIN webhooks w ON w.webhook_id = d.webhook_id
    WHERE d.state = 'due' ORDER BY d.due_at LIMIT ?`;

export const SELECT_WAITING_DELIVERIES = {
  ...postgresOnly('select_waiting_deliveries')`SELECT ${COUNTS},
    extract(epoch FROM min(created_at)) * 1000 AS oldest FROM (${WAITING}) waiting`,
  sqlite: `SELECT ${COUNTS}, min(created_at) AS oldest FROM (${WAITING}) waiting`,
};
