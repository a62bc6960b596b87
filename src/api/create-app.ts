/**
 * The HTTP app: the middleware that every request passes, in order, and the list of all routes. It only uses web
 * standards and runs on any host that can give it a `Request`.
 */
import { OpenAPIHono } from '@hono/zod-openapi';
import { refuseInvalid } from '../kernel/invalid-request.js';
import { respondToRequest } from '../kernel/web-door.js';
import type { App, AppDeps, AppEnv } from './app-env.js';
import { identify } from './auth/identify.js';
import { createDoor } from './create-door.js';
import { describeOperations } from './describe-operations.js';
import { actAsTenant } from './middleware/act-as-tenant.js';
import { bodyLimit } from './middleware/body-limit.js';
import { cors } from './middleware/cors.js';
import { respondWithError, wrapNonErrors } from './middleware/error-response.js';
import { respondNotFound } from './middleware/not-found.js';
import { observeRequests } from './middleware/observe-requests.js';
import { rateLimit } from './middleware/rate-limit.js';
import { refuseFraming } from './middleware/refuse-framing.js';
import { requestContext } from './middleware/request-context.js';
import { securityHeaders } from './middleware/security-headers.js';
import { registerSecuritySchemes } from './openapi-document.js';
import { operationsOf } from './operations.js';
import { addAudits } from './routes/audits.js';
import { addChanges } from './routes/changes.js';
import { addCompare } from './routes/compare.js';
import { addDashboard } from './routes/dashboard.js';
import { addDemo } from './routes/demo.js';
import { addHealth } from './routes/health.js';
import { addLanding } from './routes/landing.js';
import { addMetrics } from './routes/metrics.js';
import { addOpenApi } from './routes/openapi.js';
import { addProbe } from './routes/probe.js';
import { addReady } from './routes/ready.js';
import { addSession } from './routes/session.js';
import { addStreamList } from './routes/stream-list.js';
import { addSuites } from './routes/suites.js';
import { addSystem } from './routes/system.js';

/** Routes, and the tags of operations in the table, in the order of the reference. */
const ROUTES: readonly (((app: App, deps: AppDeps) => void) | string)[] = [
  addHealth,
  addReady,
  addSession,
  addMetrics,
  addSystem,
  'Subscriptions',
  'Streams',
  addStreamList,
  addChanges,
  'Proxy',
  addProbe,
  'Jobs',
  addAudits,
  'Comparisons',
  addCompare,
  addSuites,
  'Tenant',
  'Webhooks',
  addDemo,
  addDashboard,
  addOpenApi,
  addLanding,
];

/** `door` handles the operations that have moved to it; the routes of this app are the others. */
export function createApp(deps: AppDeps, door = createDoor(deps)): App {
  const app: App = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
  app.onError(respondWithError);
  app.notFound(respondNotFound(app));
  app.use((c, next) => respondToRequest(door, c.req.raw, c.env) ?? next());
  app.use(requestContext(deps));
  app.use(observeRequests(deps));
  app.use(securityHeaders);
  app.use(cors(deps.corsOrigins));
  app.use(identify(deps.authenticator));
  if (deps.demo) app.use(actAsTenant(deps.demo));
  app.use(rateLimit(deps));
  app.use(refuseFraming);
  app.use(bodyLimit(deps.limits));
  app.use(wrapNonErrors);
  registerSecuritySchemes(app);
  const operations = operationsOf(deps);
  for (const each of ROUTES) {
    if (typeof each === 'function') each(app, deps);
    else
      describeOperations(
        app,
        operations.filter(({ schemas }) => schemas.tag === each),
      );
  }
  return app;
}
