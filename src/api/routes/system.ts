/** `GET /api/system`: the state of the whole server, for its operator. A figure that cannot be read is left out. */
import * as z from 'zod';
import type { App, AppDeps } from '../app-env.js';
import { demandOperator } from '../auth/require-scope.js';
import type { SystemFigures } from '../system/system-source.js';
import { credentialErrors } from '../views/error-responses.js';
import { jsonResponse, NO_STORE, operations } from '../views/operation.js';
import { iso, time } from '../views/time.js';
import { ATTENTION_MAX, runCheck } from './ready.js';

const count = z.int().min(0);

const Point = z
  .object({
    at: time.describe('End of the minute.'),
    requests: count,
    errors: count.describe('Responses with a status of 500 or more.'),
    refusals: count.describe('Requests refused by the egress policy.'),
    queued: count.optional(),
    running: count.optional(),
    oldestQueuedMs: count.optional(),
    responses: count.optional(),
  })
  .describe('Counts of the minute, and values at its end. Values are absent if they could not be read.')
  .meta({ id: 'SystemPoint' });

const Worker = z
  .object({ workerId: z.string(), jobs: count, leaseUntil: time, oldestStartedAt: time })
  .meta({ id: 'SystemWorker' });

const System = z
  .object({
    version: z.string(),
    engine: z.enum(['embedded', 'cluster', 'edge']),
    runtime: z.string(),
    startedAt: time.optional(),
    now: time,
    health: z.object({
      ready: z.boolean(),
      checks: z.array(z.object({ name: z.string(), ok: z.boolean(), fault: z.string().optional() })),
    }),
    attention: z.array(z.string()).max(ATTENTION_MAX).describe('What works but needs attention.'),
    queue: z
      .object({ queued: count, running: count, oldestQueuedMs: count.nullable() })
      .optional()
      .describe('Jobs of all tenants.'),
    workers: z.array(Worker).optional().describe('Workers that hold leases.'),
    responses: z.object({ running: count }).optional(),
    readers: z.object({ live: count }).optional(),
    egress: z
      .object({ refusals: z.array(z.object({ rule: z.string(), count })) })
      .optional()
      .describe('Refusals since the server started, most frequent rule first.'),
    storage: z
      .object({ freeBytes: count, totalBytes: count })
      .optional()
      .describe('Disk that holds the data folder.'),
    points: z.array(Point).optional().describe('The last hour, oldest first.'),
  })
  .meta({ id: 'System' });

const route = operations('Operations').get('/api/system', 'getSystem', {
  summary: 'Get the state of the server',
  description:
    'Scope `operator`. On Cloudflare there is no process to measure: queue, workers, responses, readers, egress, storage ' +
    'and points are absent. Elsewhere a figure is absent if it could not be read.',
  responses: { 200: jsonResponse('The state.', System), ...credentialErrors() },
});

export function addSystem(app: App, { system, version, readiness, clock }: AppDeps): void {
  if (!system) return;
  app.openapi(route, async (c) => {
    demandOperator(c);
    const outcomes = await Promise.all(readiness.map((check) => runCheck(check, c.var.log)));
    const { engine, runtime, startedAt } = system;
    const checks = outcomes.map(({ name, fault }) => ({
      name,
      ok: fault === undefined,
      ...(fault !== undefined && { fault }),
    }));
    const body = {
      version,
      engine,
      runtime,
      ...(startedAt !== undefined && { startedAt: iso(startedAt) }),
      now: iso(clock()),
      health: { ready: checks.every(({ ok }) => ok), checks },
      attention: readiness.flatMap(({ notes }) => notes?.() ?? []).slice(0, ATTENTION_MAX),
      ...figuresView(await system.figures()),
    };
    return c.json(body, 200, NO_STORE);
  });
}

function figuresView(figures: SystemFigures): Partial<z.input<typeof System>> {
  const { queue, responsesRunning, liveReaders, refusals, storage, points } = figures;
  return {
    ...(queue && queueView(queue)),
    ...(responsesRunning !== undefined && { responses: { running: responsesRunning } }),
    ...(liveReaders !== undefined && { readers: { live: liveReaders } }),
    ...(refusals && { egress: { refusals: byFrequency(refusals) } }),
    ...(storage && { storage }),
    ...(points && { points: points.map((point) => ({ ...point, at: iso(point.at) })) }),
  };
}

function queueView({ queued, running, oldestQueuedMs, workers }: NonNullable<SystemFigures['queue']>) {
  return {
    queue: { queued, running, oldestQueuedMs },
    workers: workers.map(({ workerId, jobs, leaseUntil, oldestStartedAt }) => ({
      workerId,
      jobs,
      leaseUntil: iso(leaseUntil),
      oldestStartedAt: iso(oldestStartedAt),
    })),
  };
}

function byFrequency(refusals: Readonly<Record<string, number>>) {
  return Object.entries(refusals)
    .map(([rule, times]) => ({ rule, count: times }))
    .sort((a, b) => b.count - a.count);
}
