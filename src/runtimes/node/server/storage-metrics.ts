/** Metrics of what is stored in the data folder, and of what needs an operator. */
import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadinessCheck } from '../../../api/app-env.js';
import type { Metrics } from '../../../api/metrics/metrics.js';

/** The databases with a write-ahead log, by the name of their store. */
const LOGS = { streams: 'sonde.db-wal', records: 'records.db-wal' } as const;

export interface StorageFigures {
  readonly dataDir: string;
  readonly readiness: readonly ReadinessCheck[];
  openStreams(): Promise<number>;
  damagedStreams(): number;
  subscriptions(): { readonly delivered: number; readonly failed: number; readonly failing: number };
}

export function declareStorageMetrics(metrics: Metrics, figures: StorageFigures): void {
  const { dataDir, readiness } = figures;
  const open = metrics.sampled(() => figures.openStreams());
  const disk = metrics.sampled(() => statfs(dataDir));
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    metrics.observedSeries({ name, help }, 'gauge', () => {
      const value = read();
      return value === undefined ? [] : [[[], value]];
    });
  gauge('sonde_streams_open', 'Streams that accept appends.', open);
  gauge('sonde_streams_damaged', 'Streams marked as damaged.', () => figures.damagedStreams());
  const notes = () => readiness.reduce((sum, check) => sum + (check.notes?.().length ?? 0), 0);
  gauge('sonde_attention_items', 'What works but needs an operator; /api/ready lists it.', notes);
  const bytes = (blocks: 'bavail' | 'blocks') => () => {
    const found = disk();
    return found && found[blocks] * found.bsize;
  };
  gauge('sonde_disk_free_bytes', 'Free space of the disk that holds the data folder.', bytes('bavail'));
  gauge('sonde_disk_size_bytes', 'Size of the disk that holds the data folder.', bytes('blocks'));
  metrics.observedSeries(
    { name: 'sonde_log_bytes', help: 'Size of the write-ahead log of a store.', labels: ['store'] },
    'gauge',
    () =>
      Object.entries(LOGS).flatMap(([store, file]) => {
        const found = statSync(join(dataDir, file), { throwIfNoEntry: false });
        return found ? [[[store], found.size] as const] : [];
      }),
  );
  gauge(
    'sonde_subscriptions_failing',
    'Subscriptions whose last webhook failed; they are retried.',
    () => figures.subscriptions().failing,
  );
  metrics.observedSeries(
    {
      name: 'sonde_subscription_attempts_total',
      help: 'Attempts to call the webhook of a subscription.',
      labels: ['outcome'],
    },
    'counter',
    () => {
      const { delivered, failed } = figures.subscriptions();
      return [
        [['delivered'], delivered],
        [['failed'], failed],
      ];
    },
  );
}
