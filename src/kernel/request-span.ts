/** The span of a request. Without a tracer there is none, and the request's trace headers are not read. */
import {
  context,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Arrived } from './arrived.js';
import { methodLabel } from './request-meter.js';

const NAME = 'sonde';

export function hasTracer(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(NAME) !== undefined;
}

const carrier = {
  get: (arrived: Arrived, key: string) => arrived.header(key) ?? undefined,
  keys: (arrived: Arrived) => arrived.headers().map(([name]) => name),
};

interface SpanFacts {
  readonly requestId: string;
  readonly route: string;
}

/** Neither the query nor headers are recorded, since both can contain secrets. */
export function inSpan<Result extends { readonly status: number }>(
  arrived: Arrived,
  { requestId, route }: SpanFacts,
  run: () => Promise<Result>,
): Promise<Result> {
  const method = methodLabel(arrived.method);
  const parent = propagation.extract(context.active(), arrived, carrier);
  const attributes = {
    'http.request.method': method,
    'url.path': arrived.path,
    'sonde.request_id': requestId,
  };
  const options = { kind: SpanKind.SERVER, attributes };
  return trace.getTracer(NAME).startActiveSpan(method, options, parent, async (span: Span) => {
    try {
      const result = await run();
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': result.status });
      if (result.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      return result;
    } finally {
      span.end();
    }
  });
}
