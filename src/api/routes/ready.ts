/**
 * `GET /api/ready`: whether this server should get traffic now. It responds within two seconds, even if a check hangs.
 * The response lists each check with its outcome. The reason for a failure is only included if it is our own text; the
 * text of foreign errors is only logged. Names of tenants and streams are only shown to operators.
 */
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { App, AppDeps, ReadinessCheck } from '../app-env.js';
import { isOperator } from '../auth/require-scope.js';
import { errorResponses } from '../views/error-responses.js';
import { jsonResponse, NO_SECURITY, NO_STORE, operations } from '../views/operation.js';

export const ATTENTION_MAX = 100;

const Dependency = z
  .object({
    name: z.string(),
    state: z.enum(['ok', 'failed']),
    stops: z.array(z.string()).describe('What does not work while it has failed; everything else does.'),
    fault: z.string().optional().describe('Why it has failed.'),
  })
  .meta({ id: 'Dependency' });

const Ready = z
  .object({
    status: z.literal('ready'),
    version: z.string(),
    passed: z.array(z.string()).describe('Names of the checks that passed.'),
    failed: z.array(z.string()).describe('Always empty here; a 503 lists names under `error.failed`.'),
    dependencies: z.array(Dependency).describe('A 503 lists them under `error.dependencies`.'),
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
  .meta({ id: 'Ready' });

const route = operations('Operations').get('/api/ready', 'getReady', {
  summary: 'Check that the server can take traffic',
  security: NO_SECURITY,
  description:
    'For readiness probes. 503 `NOT_READY` names the failed checks and, under `error.dependencies`, what each stops; ' +
    '503 `SERVER_STOPPING` means it is draining. ' +
    'Needs no credential and is never rate limited.',
  responses: {
    200: jsonResponse('Every check passed.', Ready),
    ...errorResponses('NOT_READY', 'SERVER_STOPPING'),
  },
});

export function addReady(app: App, { version, readiness, stopping }: AppDeps): void {
  app.openapi(route, async (c) => {
    if (stopping())
      throw new SondeError('SERVER_STOPPING', 'The server is shutting down and finishing its last requests.');
    const outcomes = await Promise.all(readiness.map((check) => runCheck(check, c.var.log)));
    if (outcomes.some(({ fault }) => fault !== undefined)) throw notReady(outcomes);
    const passed = outcomes.map(({ name }) => name);
    const items = readiness.flatMap(({ notes }) => notes?.() ?? []);
    const attention = isOperator(c) && { attention: items.slice(0, ATTENTION_MAX) };
    const body = {
      status: 'ready' as const,
      version,
      passed,
      failed: [],
      dependencies: outcomes.map(dependencyView),
    };
    return c.json({ ...body, attentionCount: items.length, ...attention }, 200, NO_STORE);
  });
}

export function notReady(outcomes: readonly Outcome[]): SondeError {
  const passed = outcomes.filter(({ fault }) => fault === undefined).map(({ name }) => name);
  const failed = outcomes.filter(({ fault }) => fault !== undefined);
  const faults = failed.map(({ name, fault }) => `${name} (${fault})`);
  return new SondeError('NOT_READY', `Failed checks: ${faults.join(', ')}.`, {
    details: { passed, failed: failed.map(({ name }) => name), dependencies: outcomes.map(dependencyView) },
  });
}

export function dependencyView({ name, stops, fault }: Outcome) {
  const state = fault === undefined ? ('ok' as const) : ('failed' as const);
  return { name, state, stops: [...stops], ...(fault !== undefined && { fault }) };
}

/** Less than the two seconds that a probe usually waits. */
const CHECK_MS = 1_500;

interface Outcome {
  readonly name: string;
  readonly stops: readonly string[];
  /** Absent if the check passed. */
  readonly fault?: string;
}

export async function runCheck({ name, stops, check }: ReadinessCheck, log: Log): Promise<Outcome> {
  try {
    await withTimeout(CHECK_MS, check());
    return { name, stops };
  } catch (thrown) {
    log.warn('readiness check failed', { check: name, err: thrown });
    return { name, stops, fault: thrown instanceof SondeError ? thrown.message : 'see the log' };
  }
}

async function withTimeout(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    const error = new SondeError('NOT_READY', `no response within ${ms} ms`);
    timer = setTimeout(() => reject(error), ms);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
