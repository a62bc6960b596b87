/** Composes the durable proxy on the embedded engine: the streams file, two outbound clients, and its keys. */
import type { Metrics } from '../../../api/metrics/metrics.js';
import type { Settings } from '../../../config/settings.js';
import type { SondeError } from '../../../errors.js';
import type { Log } from '../../../log.js';
import { createRedactor } from '../../../net/index.js';
import {
  compileAllowlist,
  compileRoutes,
  createSignedUrls,
  type Ending,
  openUpstreamClients,
  ProxyService,
  type ProxyStore,
  type PumpTotals,
  proxySettingsOf,
  systemTimers,
  type Timers,
  warnOfSharedKeys,
} from '../../../proxy/index.js';
import {
  type LifetimeClock,
  type ReadTenantLimits,
  type StreamService,
  trustedClock,
} from '../../../streams/index.js';
import { createOutboundClient, type OutboundOptions } from '../net.js';
import type { ServerSecrets } from './secrets.js';

export interface ProxyOptions {
  readonly settings: Pick<Settings, 'server' | 'proxy'>;
  readonly secrets: Pick<ServerSecrets, 'signing'>;
  readonly net: OutboundOptions;
  readonly log: Log;
  /** Replaces the clock of responses, which is then trusted. */
  readonly timers?: Timers;
}

interface ProxyHost {
  readonly store: ProxyStore;
  readonly streams: StreamService;
  /** What is right although the wall clock may be set; by default the wall clock. */
  readonly time?: { readonly lifetime: LifetimeClock; readonly steady: () => number };
  readonly storeFault: () => Promise<SondeError | undefined>;
  readonly metrics: Metrics;
  readonly tenantLimits?: ReadTenantLimits;
  readonly rules: ReturnType<typeof readProxyRules>;
}

/** Compiles the allowlist and the routes. Refuses invalid settings, and accesses no data. */
export function readProxyRules(
  { server, proxy }: Pick<Settings, 'server' | 'proxy'>,
  env: (name: string) => string | undefined,
) {
  return {
    allowlist: compileAllowlist(proxy.allow),
    // A map that can change, because the demo adds a route while it runs.
    routes: new Map(compileRoutes(proxy.routes, { authenticated: server.auth !== 'none', env })),
  };
}

/** Limits per tenant already bound the responses and so the sockets. A lower limit here would be shared by tenants. */
const CONNECTIONS_PER_ORIGIN = 65_536;

export type ServerProxy = Awaited<ReturnType<typeof composeProxy>>;

export async function composeProxy(
  { settings: { server, proxy }, secrets, net, log, timers }: ProxyOptions,
  { store, streams, time, storeFault, metrics, tenantLimits, rules: { allowlist, routes } }: ProxyHost,
) {
  const keys = proxy.signingSecret ?? (await secrets.signing());
  if (server.auth !== 'none') warnOfSharedKeys(routes, log);
  const opened = [allowlist, ...[...routes.values()].map((route) => route.allowlist)];
  const { outbound, close } = openUpstreamClients(
    { connectionsPerOrigin: CONNECTIONS_PER_ORIGIN, ...net },
    createOutboundClient,
    opened.flatMap(({ privateOrigins }) => privateOrigins),
  );
  const retries = metrics.counter({
    name: 'sonde_proxy_unkeyed_retries_total',
    help: 'SDK retries on inline routes without an Idempotency-Key.',
  });
  const service = new ProxyService({
    streams,
    store,
    storeFault,
    outbound: { ...outbound, keepsCodings: true },
    allowlist,
    routes,
    signedUrls: createSignedUrls(keys),
    redactor: createRedactor(),
    log,
    ...(tenantLimits && { limits: tenantLimits }),
    onEnded: endMeter(metrics),
    onUnkeyedRetry: () => retries.add(1),
    settings: proxySettingsOf(proxy),
    ...(time && { timers: { ...systemTimers, now: time.steady }, lifetime: time.lifetime }),
    ...(timers && { timers, lifetime: trustedClock(timers.now) }),
  });
  /** Ends running upstream requests; their readers get the outcome. */
  const stop = async () => {
    await service.stop();
    await close();
  };
  metrics.observed(
    { name: 'sonde_proxy_streams_running', help: 'Upstream responses in progress.' },
    'gauge',
    () => service.running,
  );
  await service.start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { service, stop };
}

function endMeter(metrics: Metrics): (ending: Ending, totals: PumpTotals) => void {
  const streams = metrics.counter({
    name: 'sonde_proxy_streams_total',
    help: 'Upstream responses that ended, by outcome.',
    labels: ['outcome'],
  });
  const received = metrics.counter({ name: 'sonde_proxy_bytes_total', help: 'Bytes of upstream responses.' });
  const written = metrics.counter({
    name: 'sonde_proxy_records_total',
    help: 'Stream records written for upstream responses.',
  });
  return ({ outcome }, { bytes, records }) => {
    streams.add(1, [outcome]);
    received.add(bytes);
    written.add(records);
  };
}
