/** The proxy's rules from the settings, for the Worker and for the object that calls the upstream. */
import { compileAllowlist, compileRoutes, createSignedUrls, proxySettingsOf } from '../../../proxy/index.js';
import type { EdgeEnv } from '../edge-env.js';
import type { EdgeSettings } from '../edge-settings.js';

export function readProxyRules(env: EdgeEnv, { proxy, server, edge }: EdgeSettings) {
  const allowlist = compileAllowlist(proxy.allow);
  const routes = compileRoutes(proxy.routes, {
    authenticated: server.auth !== 'none',
    env: (name) => (typeof env[name] === 'string' ? env[name] : undefined),
  });
  const opened = [allowlist, ...[...routes.values()].map((route) => route.allowlist)];
  return {
    allowlist,
    routes,
    signedUrls: createSignedUrls(proxy.signingSecret ?? edge.keysFor('sonde signed urls')),
    settings: proxySettingsOf(proxy),
    privateOrigins: opened.flatMap(({ privateOrigins }) => privateOrigins),
  };
}
