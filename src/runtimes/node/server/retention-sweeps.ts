/** What is deleted when it has been kept long enough. Every process does this: what one leaves undone, another finds. */
import { DELIVERY_LIMITS, JOB_LIMITS } from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import { PacedSweep } from '../../../paced-sweep.js';
import type { RecordStoreSet } from './compose-records.js';

export interface RetentionOptions {
  readonly retentionMs: number;
  readonly log: Log;
  /** False while the clock cannot be trusted. */
  readonly mayPrune: () => boolean;
}

/** A look at an index costs less than a millisecond. */
const EVERY_MS = 10_000;
const ROWS_PER_STEP = 100;

export function startRetention(
  { jobs, webhooks, idempotency }: Pick<RecordStoreSet, 'jobs' | 'webhooks' | 'idempotency'>,
  { retentionMs, log, mayPrune }: RetentionOptions,
): readonly PacedSweep[] {
  const sweep = (name: string, step: () => Promise<number>) =>
    new PacedSweep({ name, step, everyMs: EVERY_MS, log, mayRun: mayPrune, random: Math.random });
  const sweeps = [
    sweep('jobs', () => jobs.prune({ olderThanMs: retentionMs, limit: JOB_LIMITS.pruneMax })),
    sweep('webhook_deliveries', () =>
      webhooks.prune({ olderThanMs: DELIVERY_LIMITS.keepMs, limit: ROWS_PER_STEP }),
    ),
    sweep('idempotency_keys', () => idempotency.prune(ROWS_PER_STEP)),
  ];
  for (const each of sweeps) each.start();
  return sweeps;
}
