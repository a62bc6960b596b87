import { type Span, type Tracer, trace } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { appForTests } from '../../../test/support/app-for-tests.js';

afterEach(() => trace.disable());

test('counts by method, route pattern and status class, never by path', async () => {
  const { app, metrics, clock } = appForTests();
  app.get('/slow/:id', (c) => {
    clock.ms += 30;
    return c.text('x');
  });
  await app.request('/slow/one');
  await app.request('/slow/two');
  await app.request('/nothing?secret=1');
  await app.request('/api/health', { method: 'PUT' });
  await app.request('/nothing', { method: 'BREW' });
  const text = metrics.render();
  expect(text).toContain('sonde_http_requests_total{method="GET",route="/slow/:id",status="2xx"} 2\n');
  expect(text).toContain(
    'sonde_http_request_duration_seconds_bucket{method="GET",route="/slow/:id",status="2xx",le="0.025"} 0\n',
  );
  expect(text).toContain(
    'sonde_http_request_duration_seconds_bucket{method="GET",route="/slow/:id",status="2xx",le="0.05"} 2\n',
  );
  expect(text).toContain('sonde_http_requests_total{method="GET",route="unmatched",status="4xx"} 1\n');
  expect(text).toContain('sonde_http_requests_total{method="PUT",route="unmatched",status="4xx"} 1\n');
  expect(text).toContain('sonde_http_requests_total{method="OTHER",route="unmatched",status="4xx"} 1\n');
  expect(text).toContain('sonde_http_requests_in_flight 0\n');
  expect(text).not.toContain('secret');
});

test('each request creates a span without query or credentials', async () => {
  const spans: Record<string, unknown>[] = [];
  const span = (name: string, attributes: object): Span => {
    const record: Record<string, unknown> = { name, ...attributes };
    spans.push(record);
    const self = {
      updateName: (next: string) => Object.assign(record, { name: next }) && self,
      setAttributes: (more: object) => Object.assign(record, more) && self,
      setStatus: (status: object) => Object.assign(record, { status }) && self,
      end: () => Object.assign(record, { ended: true }),
    };
    return self as unknown as Span;
  };
  const tracer = {
    startActiveSpan: (
      name: string,
      options: { attributes: object },
      _context: unknown,
      run: (span: Span) => unknown,
    ) => run(span(name, options.attributes)),
  } as unknown as Tracer;
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  await appForTests().app.request('/api/health?secret=hunter2', {
    headers: { authorization: 'Bearer hunter2', 'x-request-id': 'request-1234' },
  });
  expect(spans).toEqual([
    {
      name: 'GET /api/health',
      'http.request.method': 'GET',
      'url.path': '/api/health',
      'sonde.request_id': 'request-1234',
      'http.route': '/api/health',
      'http.response.status_code': 200,
      ended: true,
    },
  ]);
});
