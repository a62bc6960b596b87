/**
 * The HTTP app: the middleware that every request passes, in order, and the list of all routes. It only uses web
 * standards and runs on any host that can give it a `Request`.
 */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { App, AppDeps, AppEnv } from './app-env.js';
import { identify } from './auth/identify.js';
import { createCredentialFinder } from './auth/shown-credential.js';
import { actAsTenant } from './middleware/act-as-tenant.js';
import { bodyLimit } from './middleware/body-limit.js';
import { cors } from './middleware/cors.js';
import { respondWithError, wrapNonErrors } from './middleware/error-response.js';
import { respondNotFound } from './middleware/not-found.js';
import { observeRequests } from './middleware/observe-requests.js';
import { rateLimit } from './middleware/rate-limit.js';
import { refuseGetBody } from './middleware/refuse-get-body.js';
import { refuseUpgrade } from './middleware/refuse-upgrade.js';
import { requestContext } from './middleware/request-context.js';
import { securityHeaders } from './middleware/security-headers.js';
import { refuseInvalid } from './middleware/validation.js';
import { registerSecuritySchemes } from './openapi-document.js';
import { addAudits } from './routes/audits.js';
import { addBaselines } from './routes/baselines.js';
import { addChanges } from './routes/changes.js';
import { addCompare } from './routes/compare.js';
import { addDashboard } from './routes/dashboard.js';
import { addDemo } from './routes/demo.js';
import { addEndComparisons } from './routes/end-comparisons.js';
import { addHealth } from './routes/health.js';
import { addInline } from './routes/inline.js';
import { addJobs } from './routes/jobs.js';
import { addLanding } from './routes/landing.js';
import { addMetrics } from './routes/metrics.js';
import { addOpenApi } from './routes/openapi.js';
import { addProbe } from './routes/probe.js';
import { addProxy } from './routes/proxy.js';
import { addReady } from './routes/ready.js';
import { addSession } from './routes/session.js';
import { addStreamList } from './routes/stream-list.js';
import { addStreams } from './routes/streams.js';
import { addSubscriptions } from './routes/subscriptions.js';
import { addSuites } from './routes/suites.js';
import { addSystem } from './routes/system.js';
import { addTenant } from './routes/tenant.js';
import { addWebhooks } from './routes/webhooks.js';

const ROUTES: readonly ((app: App, deps: AppDeps) => void)[] = [
  addHealth,
  addReady,
  addSession,
  addMetrics,
  addSystem,
  // Before streams, whose wildcard path would match these paths too.
  addSubscriptions,
  addStreams,
  addStreamList,
  addChanges,
  addProxy,
  addInline,
  addProbe,
  addJobs,
  addAudits,
  addCompare,
  addBaselines,
  addSuites,
  addEndComparisons,
  addTenant,
  addWebhooks,
  addDemo,
  addDashboard,
  addOpenApi,
  addLanding,
];

export function createApp(deps: AppDeps): App {
  const app: App = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
  app.onError(respondWithError);
  app.notFound(respondNotFound(app));
  app.use(requestContext(deps));
  app.use(observeRequests(deps));
  app.use(securityHeaders);
  app.use(cors(deps.corsOrigins));
  app.use(identify(deps.authenticator, createCredentialFinder(deps.proxy?.routes)));
  if (deps.demo) app.use(actAsTenant(deps.demo));
  app.use(rateLimit(deps.rateLimiter));
  app.use(refuseUpgrade);
  app.use(refuseGetBody);
  app.use(bodyLimit(deps.limits));
  app.use(wrapNonErrors);
  registerSecuritySchemes(app);
  for (const add of ROUTES) add(app, deps);
  return app;
}
