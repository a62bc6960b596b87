/** `GET /api/health`: responds with 200 as long as the process can respond at all. */
import * as z from 'zod';
import type { App, AppDeps } from '../app-env.js';
import { errorResponses } from '../views/error-responses.js';
import { jsonResponse, NO_SECURITY, NO_STORE, operations } from '../views/operation.js';

const Health = z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Health' });

const route = operations('Operations').get('/api/health', 'getHealth', {
  summary: 'Check that the process is alive',
  description: 'For liveness probes. Needs no credential and is never rate limited.',
  security: NO_SECURITY,
  responses: { 200: jsonResponse('The process is alive.', Health), ...errorResponses() },
});

export function addHealth(app: App, { version }: AppDeps): void {
  app.openapi(route, (c) => c.json({ status: 'ok', version } as const, 200, NO_STORE));
}
