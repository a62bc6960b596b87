/** Metrics of the process, with the names that Prometheus dashboards expect. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import type { Metrics } from '../../../api/metrics/metrics.js';
import type { Connections } from './connections.js';

const LOOP_RESOLUTION_MS = 20;
const LOOP_QUANTILES = [0.5, 0.99, 1] as const;

/** How long a request waits before it is handled, since the last scrape. */
function declareLoopDelay(metrics: Metrics): void {
  const delays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delays.enable();
  metrics.observedSeries(
    {
      name: 'sonde_event_loop_delay_seconds',
      help: 'Delay of the event loop since the last scrape, by quantile.',
      labels: ['quantile'],
    },
    'gauge',
    () => {
      const found = LOOP_QUANTILES.map((quantile) => {
        const ms = delays.percentile(quantile * 100) / 1e6 - LOOP_RESOLUTION_MS;
        return [[String(quantile)], Math.max(0, ms) / 1000] as const;
      });
      delays.reset();
      return found;
    },
  );
}

export function declareProcessMetrics(metrics: Metrics): void {
  declareLoopDelay(metrics);
  const startedAt = Date.now() / 1000 - process.uptime();
  metrics.observed(
    { name: 'process_cpu_seconds_total', help: 'User and system CPU time.' },
    'counter',
    () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  );
  metrics.observed({ name: 'process_resident_memory_bytes', help: 'Resident memory.' }, 'gauge', () =>
    process.memoryUsage.rss(),
  );
  metrics.observed(
    { name: 'nodejs_heap_used_bytes', help: 'JavaScript heap in use.' },
    'gauge',
    () => process.memoryUsage().heapUsed,
  );
  metrics.observed(
    { name: 'process_start_time_seconds', help: 'Start of the process.' },
    'gauge',
    () => startedAt,
  );
}

export function declareConnectionMetrics(metrics: Metrics, connections: Connections): void {
  metrics.observed(
    { name: 'sonde_http_connections_open', help: 'Open client connections.' },
    'gauge',
    () => connections.size,
  );
  metrics.observedSeries(
    {
      name: 'sonde_http_connections',
      help: 'Client connections by what runs on them: a read, another request, or nothing.',
      labels: ['kind'],
    },
    'gauge',
    () => Object.entries(connections.byKind).map(([kind, count]) => [[kind], count]),
  );
  metrics.observed(
    { name: 'sonde_http_refused_total', help: 'Requests refused because the server was busy.' },
    'counter',
    () => connections.refused,
  );
}
