/** What the process itself costs, under the names that Prometheus dashboards know. */
import process from 'node:process';
import type { Metrics } from '../../../api/metrics/metrics.js';
import type { Connections } from './connections.js';

export function declareProcessMetrics(metrics: Metrics, connections: Connections): void {
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
