/** Metrics of the threads that own the SQLite files: how long calls occupy them, and how many calls wait. */
import type { Metrics } from '../../../api/metrics/metrics.js';
import type { BatchTimes } from '../sqlite/call-queue.js';

export interface StoreThread {
  /** The number of calls that have not started yet. */
  waiting(): number;
  observe(onBatch: (times: BatchTimes) => void): void;
}

const BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

export function declareStoreMetrics(metrics: Metrics, threads: Readonly<Record<string, StoreThread>>): void {
  const labels = ['store'];
  metrics.observedSeries(
    { name: 'sonde_store_calls_waiting', help: 'Calls that wait for the thread of a store.', labels },
    'gauge',
    () => Object.entries(threads).map(([name, thread]) => [[name], thread.waiting()]),
  );
  const held = metrics.histogram(
    { name: 'sonde_store_batch_seconds', help: 'Time that a batch of calls held the store.', labels },
    BUCKETS,
  );
  const waited = metrics.histogram(
    { name: 'sonde_store_wait_seconds', help: 'Time that the first call of a batch waited.', labels },
    BUCKETS,
  );
  for (const [name, thread] of Object.entries(threads)) {
    thread.observe(({ heldMs, waitedMs }) => {
      held.observe(heldMs / 1000, [name]);
      waited.observe(waitedMs / 1000, [name]);
    });
  }
}
