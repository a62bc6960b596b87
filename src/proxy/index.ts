/** The public door of `proxy/`. */
export { compileAllowlist } from './allowlist.js';
export { compileRoutes, type InlineRoutes, type RouteSetting } from './inline-routes.js';
export { DEFAULT_PROXY_SETTINGS, type ProxyDoor, type ProxySettings } from './proxy-parts.js';
export { ProxyService } from './proxy-service.js';
export type { CreateRecord, CreateResult, KeyedCreate, ProxyStore } from './proxy-store.js';
export type { Moved } from './pump.js';
export type { ProxyRead } from './read-proxy.js';
export { createSignedUrls } from './signed-url.js';
export type { Timers } from './timers.js';
export type { Ending } from './upstream-outcome.js';
export type { ProxyCall } from './upstream-request.js';
