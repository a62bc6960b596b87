/** The metrics of requests. */
import { methodLabel, type RequestMeter } from '../../kernel/request-meter.js';
import type { Metrics } from './metrics.js';

const BUCKET_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createRequestMeter(metrics: Metrics): RequestMeter {
  const labels = ['method', 'route', 'status'];
  const total = metrics.counter({ name: 'sonde_http_requests_total', help: 'Requests handled.', labels });
  const duration = metrics.histogram(
    {
      name: 'sonde_http_request_duration_seconds',
      help: 'Time until the response headers were sent.',
      labels,
    },
    BUCKET_SECONDS,
  );
  const inFlight = metrics.gauge({ name: 'sonde_http_requests_in_flight', help: 'Requests being handled.' });
  return {
    started: () => inFlight.add(1),
    ended({ method, route, status, seconds }) {
      inFlight.add(-1);
      const values = [methodLabel(method), route, `${Math.floor(status / 100)}xx`];
      total.add(1, values);
      duration.observe(seconds, values);
    },
  };
}
