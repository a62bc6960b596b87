/** Metrics of the connections to PostgreSQL: how long statements take, and how many connections are in use. */
import type { Metrics } from '../../../api/metrics/metrics.js';

export interface DatabaseFigures {
  connections(): Readonly<Record<'busy' | 'idle' | 'waiting', number>>;
  /** Called with the time of each call, including retries and waits for a connection. */
  observe(onCall: (ms: number, outcome: 'ok' | 'failed') => void): void;
}

const BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

export function declareDatabaseMetrics(metrics: Metrics, database: DatabaseFigures): void {
  metrics.observedSeries(
    {
      name: 'sonde_postgres_connections',
      help: 'Connections to PostgreSQL; "waiting" are calls that wait for one.',
      labels: ['state'],
    },
    'gauge',
    () => Object.entries(database.connections()).map(([state, count]) => [[state], count]),
  );
  const seconds = metrics.histogram(
    {
      name: 'sonde_postgres_call_seconds',
      help: 'Time of a statement or transaction, with retries.',
      labels: ['outcome'],
    },
    BUCKETS,
  );
  database.observe((ms, outcome) => seconds.observe(ms / 1000, [outcome]));
}
