/**
 * Deletes records after their retention. The stores delete nothing while the clock cannot be trusted. Every process runs these sweeps, so one can continue the work of another.
 */

import type { Settings } from '../../../config/settings.js';
import { DELIVERY_LIMITS, JOB_LIMITS } from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import { PacedSweep, type SweepOptions } from '../../../paced-sweep.js';
import type { OldComparisonsQuery } from '../../../stores/sqlite/sqlite-old-comparisons.js';
import type { RecordStoreSet } from './compose-records.js';

export interface OldComparisons {
  prune(query: OldComparisonsQuery): Promise<number>;
}

export interface RetentionOptions extends Pick<SweepOptions, 'after'> {
  readonly jobs: Pick<Settings['jobs'], 'retentionMs'>;
  readonly compare: Pick<Settings['compare'], 'retentionMs'>;
  readonly log: Log;
}

/** A check of an index takes less than a millisecond. */
const EVERY_MS = 10_000;
const ROWS_PER_STEP = 100;
/** Fewer than other rows, because comparisons include their probes, which are large. */
const COMPARISONS_PER_STEP = 25;

type RetainedStores = Pick<RecordStoreSet, 'jobs' | 'webhooks' | 'idempotency' | 'oldComparisons'>;

export function startRetention(
  { jobs, webhooks, idempotency, oldComparisons }: RetainedStores,
  { log, after, ...settings }: RetentionOptions,
): readonly PacedSweep[] {
  const sweep = (name: string, step: () => Promise<number>) =>
    new PacedSweep({
      name,
      step,
      everyMs: EVERY_MS,
      log,
      random: Math.random,
      ...(after && { after }),
    });
  const sweeps = [
    sweep('jobs', () => jobs.prune({ olderThanMs: settings.jobs.retentionMs, limit: JOB_LIMITS.pruneMax })),
    sweep('webhook_deliveries', () =>
      webhooks.prune({ olderThanMs: DELIVERY_LIMITS.keepMs, limit: ROWS_PER_STEP }),
    ),
    sweep('comparisons', () =>
      oldComparisons.prune({ olderThanMs: settings.compare.retentionMs, limit: COMPARISONS_PER_STEP }),
    ),
    sweep('idempotency_keys', () => idempotency.prune(ROWS_PER_STEP)),
  ];
  for (const each of sweeps) each.start();
  return sweeps;
}
