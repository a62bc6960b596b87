/** `GET /api/health`: answers 200 as long as the process can answer at all. */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import type { App, AppDeps } from '../app-env.js';
import { errorResponses } from '../views/error-responses.js';

const Health = z.object({ status: z.literal('ok'), version: z.string() }).openapi('Health');

const route = createRoute({
  method: 'get',
  path: '/api/health',
  operationId: 'getHealth',
  tags: ['Running it'],
  summary: 'Whether the process lives',
  description: 'For a liveness probe. Needs no credential and is never rate limited.',
  responses: {
    200: { description: 'The process lives.', content: { 'application/json': { schema: Health } } },
    ...errorResponses(),
  },
});

export function addHealth(app: App, { version }: AppDeps): void {
  app.openapi(route, (c) => {
    c.header('Cache-Control', 'no-store');
    return c.json({ status: 'ok', version } as const, 200);
  });
}
