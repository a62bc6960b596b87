/** Metrics that show whether the sweeps keep up. */
import type { Metrics } from '../../../api/metrics/metrics.js';
import type { PacedSweep } from '../../../paced-sweep.js';

export function declareSweepMetrics(metrics: Metrics, sweeps: readonly PacedSweep[]): void {
  const labels = ['sweep'];
  metrics.observedSeries(
    { name: 'sonde_sweep_removed_total', help: 'Entries that sweeps have removed.', labels },
    'counter',
    () => sweeps.map(({ name, removed }) => [[name], removed]),
  );
  metrics.observedSeries(
    {
      name: 'sonde_sweep_backlog_seconds',
      help: 'How long a sweep has had a backlog; 0 while it keeps up.',
      labels,
    },
    'gauge',
    () => sweeps.map(({ name, backlogMs }) => [[name], backlogMs / 1000]),
  );
}
