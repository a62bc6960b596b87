/**
 * Records a span, a count, a duration and one log line for every request. Labels are closed sets: method, route pattern
 * and status class. Neither query nor headers are recorded, since both can contain secrets.
 */
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { AppContext, AppDeps, AppEnv } from '../app-env.js';
import type { Metrics } from '../metrics/metrics.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const BUCKET_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const UNMATCHED = 'unmatched';

const carrier = {
  get: (headers: Headers, key: string) => headers.get(key) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};

/** Counts and times requests; its labels are closed sets. */
export interface RequestMeter {
  started(): void;
  ended(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
}

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
      const values = [METHODS.has(method) ? method : 'OTHER', route, `${Math.floor(status / 100)}xx`];
      total.add(1, values);
      duration.observe(seconds, values);
    },
  };
}

export function observeRequests({ meter, clock }: AppDeps): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const startedAt = clock();
    meter.started();
    return inSpan(c, async (span) => {
      try {
        await next();
      } finally {
        const seconds = (clock() - startedAt) / 1000;
        const route = routeOf(c);
        meter.ended({ method: c.req.method, route, status: c.res.status, seconds });
        describeSpan(span, c, route);
        logLine(c, route, seconds);
      }
    });
  };
}

function inSpan(c: AppContext, run: (span: Span) => Promise<void>): Promise<void> {
  const parent = propagation.extract(context.active(), c.req.raw.headers, carrier);
  const attributes = {
    'http.request.method': methodOf(c),
    'url.path': c.req.path,
    'sonde.request_id': c.get('requestId'),
  };
  return trace
    .getTracer('sonde')
    .startActiveSpan(methodOf(c), { kind: SpanKind.SERVER, attributes }, parent, async (span) => {
      try {
        await run(span);
      } finally {
        span.end();
      }
    });
}

function describeSpan(span: Span, c: AppContext, route: string): void {
  span.updateName(`${methodOf(c)} ${route}`);
  span.setAttributes({ 'http.route': route, 'http.response.status_code': c.res.status });
  if (c.res.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

function logLine(c: AppContext, route: string, seconds: number): void {
  const fields = { method: methodOf(c), route, status: c.res.status, ms: Math.round(seconds * 1000) };
  if (c.res.status >= 500) c.get('log').warn('request', fields);
  else c.get('log').debug('request', fields);
}

function methodOf(c: AppContext): string {
  return METHODS.has(c.req.method) ? c.req.method : 'OTHER';
}

/** The pattern of the last matched route that is not middleware, which is registered for ALL methods. */
function routeOf(c: AppContext): string {
  return matchedRoutes(c).findLast((route) => route.method !== 'ALL')?.path ?? UNMATCHED;
}
