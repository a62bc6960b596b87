/**
 * `/api/demo`: two shops with planted drift, a site with planted faults and a streaming model, for trying everything
 * without a network. Only for administrators of the default tenant, on a server that runs its jobs itself.
 */
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { DEFAULT_TENANT } from '../auth/principal.js';
import { demandScope } from '../auth/require-scope.js';
import { credentialErrors } from '../views/error-responses.js';
import { jsonResponse, NO_STORE, operations } from '../views/operation.js';
import { time } from '../views/time.js';

const RunningDemo = z.object({
  running: z.literal(true),
  startedAt: time,
  compare: z.object({
    left: z.string(),
    right: z.string(),
    leftLabel: z.string(),
    rightLabel: z.string(),
    paths: z.array(z.string()),
  }),
  audit: z.object({ url: z.string() }),
  model: z.object({
    route: z.string().describe('A named route of the proxy that leads to the model.'),
    path: z.string().describe('Path below the route.'),
    body: z.record(z.string(), z.unknown()).describe('Request body to which the model responds with tokens.'),
  }),
});

const Demo = z
  .discriminatedUnion('running', [z.object({ running: z.literal(false) }), RunningDemo])
  .meta({ id: 'Demo' });

export type DemoState = z.output<typeof Demo>;

/** Calls `work` so that its outbound requests are sent on behalf of the tenant; null for none. */
export type ActAsTenant = <T>(tenant: string | null, work: () => Promise<T>) => Promise<T>;

export interface DemoControl {
  readonly state: DemoState;
  /** Does nothing if the demo is already running. */
  start(): Promise<DemoState>;
  stop(): Promise<void>;
  readonly actAs: ActAsTenant;
}

const PATH = '/api/demo';
const operation = operations('Operations');
const errors = credentialErrors('NOT_FOUND');

const show = operation.get(PATH, 'getDemo', {
  summary: 'Get the state of the demo',
  description: 'Scope `admin` of the tenant `default`. On the embedded engine only.',
  responses: { 200: jsonResponse('Whether it runs, and where.', Demo), ...errors },
});

const start = operation.post(PATH, 'startDemo', {
  summary: 'Start the demo',
  description:
    'Scope `admin` of the tenant `default`. Its sites listen on loopback ports of their own, which are open to this ' +
    'tenant until the demo ends.',
  responses: { 200: jsonResponse('The demo is running.', Demo), ...errors },
});

const stop = operation.delete(PATH, 'stopDemo', {
  summary: 'Stop the demo',
  description: 'Scope `admin` of the tenant `default`. Recorded data is kept.',
  responses: { 204: { description: 'The demo has stopped.' }, ...errors },
});

export function addDemo(app: App, { demo }: AppDeps): void {
  /** The route exists on every engine, although a cluster and the edge have no demo. */
  const controlFor = (c: AppContext): DemoControl => {
    demandDefaultAdmin(c);
    if (demo) return demo;
    throw new SondeError('NOT_FOUND', 'This server offers no demo: it needs the embedded engine.');
  };

  app.openapi(show, (c) => c.json(controlFor(c).state, 200, NO_STORE));

  app.openapi(start, async (c) => c.json(await controlFor(c).start(), 200));

  app.openapi(stop, async (c) => {
    await controlFor(c).stop();
    return c.body(null, 204);
  });
}

function demandDefaultAdmin(c: AppContext): void {
  const { tenant } = demandScope(c, 'admin');
  if (tenant === DEFAULT_TENANT) return;
  throw new SondeError('FORBIDDEN', `The demo belongs to the tenant "${DEFAULT_TENANT}".`);
}
