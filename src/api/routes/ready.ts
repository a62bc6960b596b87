/**
 * `GET /api/ready`: whether this server should get traffic now. Names each check and its outcome; why one
 * failed is in the log only, since the reason may be foreign text. Names of tenants and streams are for operators.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { App, AppDeps, ReadinessCheck } from '../app-env.js';
import { isOperator } from '../auth/require-scope.js';
import { errorResponses } from '../views/error-responses.js';
import { jsonContent, NO_SECURITY } from '../views/operation.js';

const ATTENTION_MAX = 100;

const Ready = z
  .object({
    status: z.literal('ready'),
    version: z.string(),
    passed: z.array(z.string()).describe('Names of the checks that passed.'),
    failed: z.array(z.string()).describe('Always empty here; a 503 lists names under `error.failed`.'),
    attentionCount: z
      .int()
      .min(0)
      .describe('How many items work but need attention, such as damaged streams.'),
    attention: z
      .array(z.string())
      .max(ATTENTION_MAX)
      .optional()
      .describe('The first of them by name. Only with the scope `operator`.'),
  })
  .openapi('Ready');

const route = createRoute({
  method: 'get',
  path: '/api/ready',
  operationId: 'getReady',
  tags: ['Operations'],
  summary: 'Check that the server can take traffic',
  security: NO_SECURITY,
  description:
    'For readiness probes. 503 `NOT_READY` names the failed checks; 503 `SERVER_STOPPING` means it is draining. ' +
    'Needs no credential and is never rate limited.',
  responses: {
    200: { description: 'Every check passed.', content: jsonContent(Ready) },
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
    const items = readiness.flatMap(({ notes }) => notes?.() ?? []);
    const attention = isOperator(c) && { attention: items.slice(0, ATTENTION_MAX) };
    const body = { status: 'ready', version, passed, failed, attentionCount: items.length } as const;
    return c.json({ ...body, ...attention }, 200);
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
