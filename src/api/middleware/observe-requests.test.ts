import { type Span, type Tracer, trace } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { appForTests } from '../../../test/support/app-for-tests.js';
import { Bench } from '../../../test/support/subscription-bench.js';

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

test.each([
  ['/api/health', '/api/health', 200],
  // By the door.
  ['/v1/stream/a', '/v1/stream/*', 401],
])('a request to %s creates a span without query or credentials', async (path, route, status) => {
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
  const { streams } = new Bench();
  await appForTests({ streams }).app.request(`${path}?secret=hunter2`, {
    headers: { authorization: 'Bearer hunter2', 'x-request-id': 'request-1234' },
  });
  expect(spans).toEqual([
    {
      name: `GET ${route}`,
      'http.request.method': 'GET',
      'url.path': path,
      'sonde.request_id': 'request-1234',
      'http.route': route,
      'http.response.status_code': status,
      ended: true,
    },
  ]);
});
