/**
 * Records a span, a count, a duration and one log line for every request. Neither query nor headers are recorded, since both can contain secrets.
 */
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { methodLabel } from '../../kernel/request-meter.js';
import type { AppContext, AppDeps, AppEnv } from '../app-env.js';

const UNMATCHED = 'unmatched';

const carrier = {
  get: (headers: Headers, key: string) => headers.get(key) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};

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
    'http.request.method': methodLabel(c.req.method),
    'url.path': c.req.path,
    'sonde.request_id': c.get('requestId'),
  };
  return trace
    .getTracer('sonde')
    .startActiveSpan(
      methodLabel(c.req.method),
      { kind: SpanKind.SERVER, attributes },
      parent,
      async (span) => {
        try {
          await run(span);
        } finally {
          span.end();
        }
      },
    );
}

function describeSpan(span: Span, c: AppContext, route: string): void {
  span.updateName(`${methodLabel(c.req.method)} ${route}`);
  span.setAttributes({ 'http.route': route, 'http.response.status_code': c.res.status });
  if (c.res.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

function logLine(c: AppContext, route: string, seconds: number): void {
  const fields = {
    method: methodLabel(c.req.method),
    route,
    status: c.res.status,
    ms: Math.round(seconds * 1000),
  };
  if (c.res.status >= 500) c.get('log').warn('request', fields);
  else c.get('log').debug('request', fields);
}

/** The pattern of the last matched route that is not middleware, which is registered for ALL methods. */
function routeOf(c: AppContext): string {
  return matchedRoutes(c).findLast((route) => route.method !== 'ALL')?.path ?? UNMATCHED;
}
