/**
 * The HTTP app: the layers every request passes, in order, and the list of everything that answers. It is
 * made of web standards only and runs on any host that can hand it a `Request`.
 */
import { OpenAPIHono } from '@hono/zod-openapi';
import { answerError, wrapStrangers } from './answer-error.js';
import { answerNotFound } from './answer-not-found.js';
import type { App, AppDeps, AppEnv } from './app-env.js';
import { addAudits } from './audits-route.js';
import { identify } from './auth/identify.js';
import { createShownCredential } from './auth/shown-credential.js';
import { bodyLimit } from './body-limit.js';
import { addCompare } from './compare-route.js';
import { cors } from './cors.js';
import { addHealth } from './health.js';
import { addInline } from './inline-route.js';
import { addJobs } from './jobs-route.js';
import { addLanding } from './landing.js';
import { addMetrics } from './metrics-route.js';
import { observeRequests } from './observe-requests.js';
import { registerSecuritySchemes } from './openapi-document.js';
import { addOpenApi } from './openapi-route.js';
import { addProbe } from './probe-route.js';
import { addProxy } from './proxy-route.js';
import { rateLimit } from './rate-limit.js';
import { addReady } from './ready.js';
import { refuseInvalid } from './refuse-invalid.js';
import { requestContext } from './request-context.js';
import { securityHeaders } from './security-headers.js';
import { addSession } from './session.js';
import { addStreams } from './streams-route.js';
import { addSubscriptions } from './subscriptions-route.js';
import { addSuites } from './suites-route.js';
import { addTenant } from './tenant-route.js';
import { addWebhooks } from './webhooks-route.js';

const ROUTES: readonly ((app: App, deps: AppDeps) => void)[] = [
  addHealth,
  addReady,
  addSession,
  addMetrics,
  // Before streams, below whose paths it lies.
  addSubscriptions,
  addStreams,
  addProxy,
  addInline,
  addProbe,
  addJobs,
  addAudits,
  addCompare,
  addSuites,
  addTenant,
  addWebhooks,
  addOpenApi,
  addLanding,
];

export function createApp(deps: AppDeps): App {
  const app: App = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
  app.onError(answerError);
  app.notFound(answerNotFound(app));
  app.use(requestContext(deps));
  app.use(observeRequests(deps));
  app.use(securityHeaders);
  app.use(cors(deps.corsOrigins));
  app.use(identify(deps.authenticator, createShownCredential(deps.proxy?.routes)));
  app.use(rateLimit(deps.limits.ratePerMinute, deps.clock));
  app.use(bodyLimit(deps.limits.bodyBytesMax));
  app.use(wrapStrangers);
  registerSecuritySchemes(app);
  for (const add of ROUTES) add(app, deps);
  return app;
}
