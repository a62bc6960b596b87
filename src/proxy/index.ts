/** The public exports of `proxy/`. */
export { compileAllowlist } from './allowlist.js';
export { bearerOf, callerSecretOf, KEY_FORM } from './caller-secret.js';
export { admitInline, type InlineCall } from './inline-proxy.js';
export {
  compileRoutes,
  type InlineRoute,
  type InlineRoutes,
  type RouteSetting,
  warnOfSharedKeys,
} from './inline-routes.js';
export type { AttemptFacts } from './list-attempts.js';
export { proxySettingsOf } from './proxy-deps.js';
export { type ProxyMetadata, proxiedOf, streamIdOfProxy } from './proxy-metadata.js';
export { type ProxyOperations, ProxyService } from './proxy-service.js';
export type {
  Attempt,
  AttemptKey,
  AttemptProgress,
  CreateEnd,
  CreateRecord,
  CreateResult,
  KeyedCreate,
  NewAttempt,
  ProxyStore,
} from './proxy-store.js';
export type { PumpTotals } from './pump.js';
export type { ProxyRead } from './read-proxy.js';
export type { RouteAccess } from './route-access.js';
export { sharedLocation } from './share-proxy.js';
export { createSignedUrls, verifySigned } from './signed-url.js';
export { StreamedBody } from './streamed-body.js';
export { systemTimers, type Timers } from './timers.js';
export { openUpstreamClients } from './upstream-clients.js';
export { type Ending, UPSTREAM_FAULTS, UPSTREAM_OUTCOMES } from './upstream-outcome.js';
export type { ProxyCall } from './upstream-request.js';
