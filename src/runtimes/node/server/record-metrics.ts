/**
 * Metrics of jobs and of the webhooks of finished jobs. Counts of jobs are those that the store maintains, and of
 * waiting deliveries at most `DELIVERIES_COUNTED_MAX` are looked at, so a scrape costs the same however many there are.
 */
import type { Metrics } from '../../../api/metrics/metrics.js';
import type { QueueOverview, Settlement } from '../../../jobs/index.js';
import type { WaitingDeliveries } from '../../../stores/portable/waiting-deliveries.js';

export const DELIVERIES_COUNTED_MAX = 1_000;

type Ended = Record<'done' | 'failed' | 'canceled' | 'again', number>;
export type EndedDeliveries = Readonly<Record<'delivered' | 'again' | 'failed', number>>;

export interface RecordFigures {
  readonly settled: Ended;
  readonly deliveries: EndedDeliveries;
  overview(): Promise<QueueOverview>;
  waiting(): Promise<WaitingDeliveries>;
}

/** Counts how the attempts of a worker's jobs end. */
export class SettledCounts {
  readonly counts: Ended = { done: 0, failed: 0, canceled: 0, again: 0 };
  readonly add = ({ outcome }: Settlement): void => {
    if (outcome !== 'release') this.counts[outcome]++;
  };
}

export function declareRecordMetrics(metrics: Metrics, figures: RecordFigures): void {
  const queue = metrics.sampled(() => figures.overview());
  metrics.observedSeries(
    { name: 'sonde_jobs', help: 'Jobs of all tenants that have not ended.', labels: ['status'] },
    'gauge',
    () => {
      const found = queue();
      if (!found) return [];
      return [
        [['queued'], found.queued],
        [['running'], found.running],
      ];
    },
  );
  metrics.observedSeries(
    { name: 'sonde_jobs_oldest_ready_seconds', help: 'How long the oldest job that could run has waited.' },
    'gauge',
    () => {
      const found = queue();
      return found ? [[[], (found.oldestQueuedMs ?? 0) / 1000]] : [];
    },
  );
  metrics.observedSeries(
    {
      name: 'sonde_job_attempts_total',
      help: 'Attempts of jobs that ended in this process; "again" is retried.',
      labels: ['outcome'],
    },
    'counter',
    () => Object.entries(figures.settled).map(([outcome, count]) => [[outcome], count]),
  );
  declareDeliveries(metrics, figures);
}

function declareDeliveries(metrics: Metrics, figures: RecordFigures): void {
  const waiting = metrics.sampled(() => figures.waiting());
  metrics.observedSeries(
    {
      name: 'sonde_webhook_deliveries_waiting',
      help: `Deliveries of job webhooks that wait, at most ${DELIVERIES_COUNTED_MAX}.`,
      labels: ['state'],
    },
    'gauge',
    () => {
      const found = waiting();
      if (!found) return [];
      return [
        [['due'], found.due],
        [['retrying'], found.retrying],
        [['key_missing'], found.keyMissing],
      ];
    },
  );
  metrics.observedSeries(
    { name: 'sonde_webhook_oldest_seconds', help: 'Age of the oldest delivery that waits.' },
    'gauge',
    () => {
      const found = waiting();
      return found ? [[[], (found.oldestMs ?? 0) / 1000]] : [];
    },
  );
  metrics.observedSeries(
    {
      name: 'sonde_webhook_attempts_total',
      help: 'Attempts to deliver a job webhook; "again" is retried, "failed" was the last one.',
      labels: ['outcome'],
    },
    'counter',
    () => Object.entries(figures.deliveries).map(([outcome, count]) => [[outcome], count]),
  );
}
