/**
 * `GET /api/ready`: whether this server should get traffic now. Names each check and its outcome; why one
 * failed is in the log only, since the reason may be a foreign text.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { App, AppDeps, ReadinessCheck } from '../app-env.js';
import { errorResponses } from '../views/error-responses.js';

const Ready = z
  .object({
    status: z.literal('ready'),
    version: z.string(),
    passed: z.array(z.string()).describe('Names of the checks that passed.'),
    failed: z.array(z.string()).describe('Always empty here; a 503 lists names under `error.failed`.'),
    attention: z.array(z.string()).describe('What works but needs attention: damaged streams, by id.'),
  })
  .openapi('Ready');

const route = createRoute({
  method: 'get',
  path: '/api/ready',
  operationId: 'getReady',
  tags: ['Running it'],
  summary: 'Whether the server should get traffic',
  description:
    'For a readiness probe. 503 `NOT_READY` names the failed checks, 503 `SERVER_STOPPING` says that it drains. ' +
    'Needs no credential and is never rate limited.',
  responses: {
    200: { description: 'Every check passed.', content: { 'application/json': { schema: Ready } } },
    ...errorResponses('NOT_READY', 'SERVER_STOPPING'),
  },
});

export function addReady(app: App, { version, readiness, stopping }: AppDeps): void {
  app.openapi(route, async (c) => {
    if (stopping())
      throw new SondeError('SERVER_STOPPING', 'The server is finishing its last requests and stops.');
    const outcomes = await Promise.all(readiness.map((check) => run(check, c.var.log)));
    const named = (ok: boolean) => outcomes.filter((outcome) => outcome.ok === ok).map(({ name }) => name);
    const [passed, failed] = [named(true), named(false)];
    if (failed.length > 0) {
      throw new SondeError('NOT_READY', `Not working: ${failed.join(', ')}.`, {
        details: { passed, failed },
      });
    }
    c.header('Cache-Control', 'no-store');
    const attention = readiness.flatMap(({ notes }) => notes?.() ?? []);
    return c.json({ status: 'ready', version, passed, failed, attention } as const, 200);
  });
}

async function run({ name, check }: ReadinessCheck, log: Log): Promise<{ name: string; ok: boolean }> {
  try {
    await check();
    return { name, ok: true };
  } catch (thrown) {
    log.warn('readiness check failed', { check: name, err: thrown });
    return { name, ok: false };
  }
}
