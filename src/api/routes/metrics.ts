/**
 * `GET /metrics`. On a server that only this machine can reach it is open, so that a local scraper needs no
 * token, but not to a `Host` that is not loopback, which is a page that rebound a name to us.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import type { App, AppDeps } from '../app-env.js';
import { isLoopbackHost } from '../auth/loopback-host.js';
import { demandScope } from '../auth/require-scope.js';
import { errorResponses } from '../views/error-responses.js';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const route = createRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'getMetrics',
  tags: ['Running it'],
  summary: 'Metrics in the Prometheus text format',
  description: 'Needs the scope `admin`, except on a server that only its own machine can reach.',
  security: [{ bearer: [] }, { session: [] }],
  responses: {
    200: { description: 'The metrics.', content: { 'text/plain': { schema: z.string() } } },
    ...errorResponses('RATE_LIMITED', 'MISSING_SECRET', 'INVALID_SECRET', 'FORBIDDEN'),
  },
});

export function addMetrics(app: App, { metrics, localOnly }: AppDeps): void {
  app.openapi(route, (c) => {
    if (!localOnly || !isLoopbackHost(new URL(c.req.url).host)) demandScope(c, 'admin');
    return c.text(metrics.render(), 200, { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store' });
  });
}
