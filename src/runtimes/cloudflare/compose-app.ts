/**
 * Composes the same HTTP app as on Node, for a Worker. The Worker has no state; everything stateful is in Durable
 * Objects.
 */
import type { App, AppDeps } from '../../api/app-env.js';
import { composeAuth } from '../../api/auth/compose-auth.js';
import type { AppComparisons } from '../../api/comparisons.js';
import { createApp } from '../../api/create-app.js';
import { Metrics } from '../../api/metrics/metrics.js';
import { createRequestMeter } from '../../api/metrics/request-meter.js';
import { createRateLimiter } from '../../kernel/rate-limit.js';
import { createRedactor } from '../../net/index.js';
import { warnOfSharedKeys } from '../../proxy/index.js';
import { createSecretBox } from '../../streams/index.js';
import { VERSION } from '../../version.js';
import { SIDE_PURPOSE, sealSide } from '../../workflows/index.js';
import { createBoundDashboard } from './assets/bound-dashboard.js';
import { createBoundPages } from './assets/bound-pages.js';
import { openEdgeProbe } from './compare/edge-probe.js';
import { createRemoteComparisons } from './compare/remote-comparisons.js';
import { createConsoleLog } from './console-log.js';
import type { EdgeEnv } from './edge-env.js';
import { type EdgeSettings, readEdgeSettings } from './edge-settings.js';
import { createRemoteChanges } from './ledger/remote-changes.js';
import { createRemoteStreamLists } from './ledger/remote-stream-lists.js';
import { createRemoteSubscriptions } from './ledger/remote-subscriptions.js';
import { createRemoteProxy } from './proxy/remote-proxy.js';
import { recordPortsOf } from './records/records-rpc.js';
import { createRemoteRecords } from './records/remote-records.js';
import { createRemoteStreams } from './streams/remote-streams.js';

export interface EdgeApp {
  readonly app: App;
  readonly auth: EdgeSettings['server']['auth'];
}

export async function composeApp(env: EdgeEnv): Promise<EdgeApp> {
  const settings = readEdgeSettings(env);
  const { server } = settings;
  const log = createConsoleLog(settings.log.level);
  const { issueLoginCode: _none, ...auth } = await composeEdgeAuth(settings, log);
  const { provider, egress } = openEdgeProbe(settings);
  const proxy = createRemoteProxy(env, settings);
  if (server.auth !== 'none') warnOfSharedKeys(proxy.routes, log);
  const app = createApp({
    ...auth,
    version: VERSION,
    pages: createBoundPages(env.ASSETS),
    dashboard: createBoundDashboard(env.ASSETS),
    clock: Date.now,
    log,
    meter: createRequestMeter(new Metrics()),
    corsOrigins: server.corsOrigin,
    trustedPeer: () => false,
    ...(server.publicUrl !== undefined && { publicUrl: server.publicUrl }),
    limits: { bodyBytesMax: server.bodyBytesMax },
    rateLimiter: createRateLimiter(server.ratePerMinute, Date.now),
    streams: createRemoteStreams(env),
    streamLists: createRemoteStreamLists(env),
    changes: createRemoteChanges(env),
    subscriptions: await createRemoteSubscriptions(env, settings),
    proxy,
    probe: { provider, policy: egress.policy },
    records: createRemoteRecords(env, settings),
    comparisons: composeComparisons(env, settings),
    system: { engine: 'edge', runtime: 'workerd', figures: async () => ({}) },
    readiness: [],
    stopping: () => false,
    settings: server,
    localOnly: false,
  });
  return { app, auth: server.auth };
}

function composeComparisons(env: EdgeEnv, { edge }: EdgeSettings): AppComparisons {
  const box = createSecretBox(edge.keysFor(SIDE_PURPOSE), SIDE_PURPOSE);
  const redactor = createRedactor();
  return {
    store: createRemoteComparisons(env),
    suites: recordPortsOf(env).suites,
    seal: (request) => sealSide(box, request),
    redactUrl: (url) => redactor.text(url),
  };
}

function composeEdgeAuth({ server, auth, edge }: EdgeSettings, log: AppDeps['log']) {
  const { jwtSecret, issuer, audience, serviceTokens } = auth;
  return composeAuth(
    {
      auth: server.auth,
      corsOrigins: server.corsOrigin,
      jwt: {
        ...(jwtSecret !== undefined && { secret: jwtSecret }),
        ...(issuer !== undefined && { issuer }),
        ...(audience !== undefined && { audience }),
      },
      serviceTokens,
      log,
    },
    {
      secrets: async () => ({
        jwtSecret: edge.keyFor('sonde service tokens'),
        sessionKey: edge.keyFor('sonde sessions'),
      }),
      clock: Date.now,
      tenantExists: async (slug) => edge.tenants.has(slug),
      // No login codes are issued here, so there are no sessions to revoke.
      revoked: { has: async () => true, add: async () => {} },
    },
  );
}
