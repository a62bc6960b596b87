/**
 * Starts the server: checks its options, creates its secrets, opens its stores, builds the app and listens. Refuses to
 * run without authentication if another machine could reach it. The command line handles signals.
 */
import { stat } from 'node:fs/promises';
import process from 'node:process';
import type { AppDeps } from '../../../api/app-env.js';
import { type AuthOptions, composeAuth } from '../../../api/auth/compose-auth.js';
import { isLoopbackHost } from '../../../api/auth/loopback-host.js';
import { ChangeFeeds } from '../../../api/changes/change-feeds.js';
import { createApp } from '../../../api/create-app.js';
import { createDoor } from '../../../api/create-door.js';
import { Metrics } from '../../../api/metrics/metrics.js';
import { createRequestMeter } from '../../../api/metrics/request-meter.js';
import type { Settings } from '../../../config/settings.js';
import { SondeError } from '../../../errors.js';
import { createRateLimiter } from '../../../kernel/rate-limit.js';
import type { Log } from '../../../log.js';
import type { Timers } from '../../../proxy/index.js';
import { tryUrl } from '../../../try-url.js';
import { VERSION } from '../../../version.js';
import { openControlSocket } from '../backup/control-socket.js';
import { refusePartialBackup } from '../backup/partial-backup.js';
import type { BuiltUrls } from '../built-urls.js';
import { ServerDemo } from '../demo/server-demo.js';
import { fileFault, makeSyncedFolder } from '../durable-files.js';
import { nextTurn } from '../next-turn.js';
import { outboundOptions } from '../outbound-options.js';
import { openProbeClient } from '../probe.js';
import { probeOptions } from '../probe-options.js';
import { sha256 } from '../sha256.js';
import { composeProxy, readProxyRules } from './compose-proxy.js';
import { composeRecords } from './compose-records.js';
import { composeStreams } from './compose-streams.js';
import { createDashboardFiles } from './dashboard-files.js';
import { declareDatabaseMetrics } from './database-metrics.js';
import { createNodeDoor } from './node-door.js';
import { connectionsWithinLimit } from './open-files-limit.js';
import {
  DEFAULT_HTTP_LIMITS,
  type HttpServer,
  type HttpServerOptions,
  openHttpServer,
} from './open-http-server.js';
import { declareConnectionMetrics, declareProcessMetrics } from './process-metrics.js';
import { declareRecordMetrics } from './record-metrics.js';
import { createReportThread } from './report-thread.js';
import { createRequestThread } from './request-thread.js';
import { secretFiles } from './secrets.js';
import { measureServer, ServerCounts } from './server-figures.js';
import { bracketed, loginUrl, urlOf } from './server-url.js';
import { StopStack } from './stop-stack.js';
import { declareStorageMetrics } from './storage-metrics.js';
import { declareStoreMetrics } from './store-metrics.js';
import { declareSweepMetrics } from './sweep-metrics.js';
import { createTrustedPeers } from './trusted-peers.js';

export interface ServeOptions {
  readonly settings: Settings;
  readonly urls: BuiltUrls;
  /** Reads the variables that contain the keys of upstreams. */
  readonly env: (name: string) => string | undefined;
  /** Reads `auth.jwks`, if set. */
  readonly jwt?: Omit<AuthOptions['jwt'], 'secret' | 'issuer' | 'audience'>;
  /** How long to wait at the start for an unavailable database. */
  readonly databaseWaitMs?: number;
  readonly demo?: boolean;
  readonly log: Log;
  /** Replaces the clock of proxied responses. */
  readonly timers?: Timers;
}

export interface RunningServer {
  url: string;
  loginUrl?: string;
  stop(): Promise<{ drained: boolean }>;
}

export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { server } = options.settings;
  refuseOpenServer(server);
  refuseInvalidPublicUrl(server);
  refusePartialBackup(server.data);
  await makeDataFolder(server.data);
  await warnOfOpenFolder(options);
  const started = new StopStack();
  try {
    return await startParts(options, started);
  } catch (error) {
    // If the start fails, the parts that were already started must stop.
    await started.stop(0);
    throw error;
  }
}

type AuthDeps = Parameters<typeof composeAuth>[1];

/** The records are opened later, and are needed for requests only. */
function openAuth(
  { settings: { server, auth }, jwt, log }: ServeOptions,
  deps: Omit<AuthDeps, 'tenantExists' | 'revoked'>,
  records: () => Awaited<ReturnType<typeof composeRecords>>,
) {
  const { jwtSecret, issuer, audience, serviceTokens } = auth;
  const options: AuthOptions = {
    auth: server.auth,
    corsOrigins: server.corsOrigin,
    jwt: {
      ...(jwtSecret !== undefined && { secret: jwtSecret }),
      ...(issuer !== undefined && { issuer }),
      ...(audience !== undefined && { audience }),
      ...jwt,
    },
    serviceTokens,
    log,
  };
  return composeAuth(options, {
    ...deps,
    tenantExists: async (slug) => (await records().records.tenants.find(slug)) !== undefined,
    revoked: {
      add: (id, untilMs) => records().revokedSessions.add(id, untilMs),
      has: (id) => records().revokedSessions.has(id),
    },
  });
}

/** Opens the parts in this order, and adds each to `started`. */
async function openParts(options: ServeOptions, started: StopStack) {
  const clock = Date.now;
  const monotonic = () => performance.now();
  const metrics = new Metrics();
  const counts = new ServerCounts();
  const { settings, urls, log } = options;
  const folder = { dataDir: settings.server.data, log };
  const secrets = secretFiles(folder.dataDir);
  const engine = settings.jobs.databaseUrl === undefined ? 'embedded' : 'cluster';
  // In a cluster, a job of the demo may run on another machine, whose loopback has no demo sites.
  const demo = engine === 'embedded' ? new ServerDemo(clock) : undefined;
  const net = { ...(await outboundOptions(settings.net)), onRefused: counts.onRefused };
  // For requests on behalf of tenants; webhooks never reach the demo.
  const tenantNet = { ...net, ...(demo && { openOrigins: demo.openOrigins }) };
  // The configuration is checked before the stores are opened, because their migrations cannot be undone.
  const rules = readProxyRules(settings, options.env);
  if (demo) started.add(demo);
  const trustedPeer = createTrustedPeers(settings.server.trustProxy);
  const probes = openProbeClient(probeOptions(tenantNet, settings.compare));
  started.add({ stop: () => probes.close() });
  const authDeps = { secrets: secrets.auth, clock, monotonic, sha256 };
  const { issueLoginCode, ...auth } = await openAuth(options, authDeps, () => records);
  const openLoopback = settings.server.auth === 'none';
  const recordsOptions = {
    ...options,
    secrets,
    net: tenantNet,
    openLoopback,
    ...(demo && { actAs: demo.actAs }),
  };
  const records = started.add(await composeRecords(recordsOptions, clock));
  const tenantLimits = async (slug: string) => (await records.records.tenants.find(slug))?.quotas ?? {};
  const streams = started.add(
    await composeStreams({ ...options, secrets, net }, { clock, metrics, tenantLimits }),
  );
  const changes = new ChangeFeeds({ jobs: records.jobs, log, clock: monotonic });
  started.add({ stop: async () => changes.stop() });
  streams.service.onChanged(changes.streamChanged);
  started.add(await openControlSocket(folder, (request, signal) => streams.copyTo(request.folder, signal)));
  const ownPorts: number[] = [];
  demo?.addRoutesTo(rules.routes);
  const proxyOptions = { ...options, secrets, net: { ...tenantNet, ownPorts: () => ownPorts } };
  const proxyHost = { ...streams.forProxy, metrics, tenantLimits, rules };
  const proxy = started.add(await composeProxy(proxyOptions, proxyHost));
  const suiteReader = createRequestThread(urls.requestWorker, settings.server.bodyBytesMax);
  started.add({ stop: () => suiteReader.close() });
  const reports = createReportThread({ workerUrl: urls.reportWorker, turn: nextTurn });
  started.add({ stop: () => reports.close() });
  const system = started.add(
    measureServer(counts, {
      ...{ ...folder, engine, clock },
      queue: () => records.jobs.overview(),
      responsesRunning: () => proxy.service.running,
      liveReaders: () => streams.service.liveReaders,
    }),
  );
  const meter = counts.wrapMeter(createRequestMeter(metrics));
  return {
    clock,
    metrics,
    meter,
    trustedPeer,
    probes,
    auth,
    issueLoginCode,
    records,
    streams,
    changes,
    demo,
    proxy,
    ownPorts,
    suiteReader,
    reports,
    system,
  };
}

async function startParts(options: ServeOptions, started: StopStack): Promise<RunningServer> {
  const parts = await openParts(options, started);
  const { clock, metrics, meter, auth, issueLoginCode, records, streams, proxy, probes, system } = parts;
  const { settings, urls, log } = options;
  const { server: own } = settings;
  const readiness = [streams.folderReadiness, streams.readiness, records.readiness];
  let stopped: Promise<{ drained: boolean }> | undefined;
  const deps: AppDeps = {
    ...auth,
    version: VERSION,
    clock,
    log,
    metrics,
    meter,
    system,
    corsOrigins: own.corsOrigin,
    trustedPeer: parts.trustedPeer,
    ...(own.publicUrl !== undefined && { publicUrl: own.publicUrl }),
    limits: { bodyBytesMax: own.bodyBytesMax, proxyBodyBytesMax: settings.proxy.bodyBytesMax },
    rateLimiter: createRateLimiter(own.ratePerMinute, () => performance.now()),
    streams: streams.service,
    streamLists: {
      page: (query) => streams.service.listPage(query),
      timing: (id, query) => streams.service.timing(id, query),
    },
    changes: parts.changes,
    subscriptions: streams.subscriptions,
    proxy: proxy.service,
    probe: { provider: probes.provider, policy: probes.outbound.egress.policy },
    records: records.records,
    ...(records.comparisons && { comparisons: records.comparisons }),
    suiteReader: parts.suiteReader,
    reports: parts.reports,
    turn: nextTurn,
    ...(parts.demo && { demo: parts.demo }),
    dashboard: createDashboardFiles(urls.dashboard),
    readiness,
    stopping: () => stopped !== undefined,
    settings: own,
    localOnly: isLocalOnly(own),
  };
  const door = createDoor(deps);
  const app = createApp(deps, door);
  const handlers = { door: createNodeDoor(door), fetch: app.fetch };
  const server = await open(options, handlers);
  parts.ownPorts.push(server.address.port);
  if (options.demo) await startDemo(parts.demo);
  declareProcessMetrics(metrics);
  declareConnectionMetrics(metrics, server.connections);
  declareRecordMetrics(metrics, records.figures);
  if (records.database) declareDatabaseMetrics(metrics, records.database);
  declareStorageMetrics(metrics, {
    dataDir: own.data,
    readiness,
    openStreams: () => streams.openStreams(),
    damagedStreams: () => streams.service.damaged.length,
    subscriptions: () => streams.subscriptions.deliveries,
  });
  declareStoreMetrics(metrics, {
    streams: streams.thread,
    ...(records.thread && { records: records.thread }),
  });
  declareSweepMetrics(metrics, [...streams.service.sweeps, ...proxy.service.sweeps, ...records.sweeps]);
  const url = urlOf(own.host, server.address.port);
  return {
    url,
    ...(issueLoginCode === undefined ? {} : { loginUrl: loginUrl(own.publicUrl ?? url, issueLoginCode()) }),
    stop() {
      const { drainMs } = own;
      const quiet = () => proxy.service.quiet();
      stopped ??= finishStop(server.stop({ drainMs, quiet }), () => started.stop(drainMs));
      return stopped;
    },
  };
}

async function startDemo(demo: ServerDemo | undefined): Promise<void> {
  if (demo) return void (await demo.start());
  throw new SondeError('USAGE', 'the demo needs the embedded engine: start the server without a database');
}

async function finishStop<T>(stopping: Promise<T>, after: () => Promise<void>): Promise<T> {
  try {
    return await stopping;
  } finally {
    await after();
  }
}

async function makeDataFolder(path: string): Promise<void> {
  try {
    await makeSyncedFolder(path);
  } catch (cause) {
    throw new SondeError(
      'CONFIG_INVALID_VALUE',
      `server.data: the folder ${path} cannot be created: ${fileFault(cause)}`,
      {
        cause,
        details: { key: 'server.data' },
      },
    );
  }
}

/** Files in the folder have mode 0600, but their names and files of other tools are visible. */
async function warnOfOpenFolder({ settings, log }: ServeOptions): Promise<void> {
  const dataDir = settings.server.data;
  const { mode } = await stat(dataDir);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  const advice = `chmod 700 ${dataDir}`;
  log.warn('other users of this machine can open the data folder', { folder: dataDir, advice });
}

async function open(
  { settings, log }: ServeOptions,
  handlers: Pick<HttpServerOptions, 'fetch' | 'door'>,
): Promise<HttpServer> {
  const { host, port, headerBytesMax, connectionsMax, auth } = settings.server;
  const server = await openHttpServer({
    host,
    port,
    log,
    ...handlers,
    limits: {
      ...DEFAULT_HTTP_LIMITS,
      headerBytesMax,
      connectionsMax: connectionsWithinLimit(connectionsMax, log),
    },
  });
  // The address that `localhost` resolved to is known only now.
  if (auth === 'none' && !isLoopbackHost(bracketed(server.address.address))) {
    await server.stop({ drainMs: 0, quiet: async () => {} });
    throw openServer(host);
  }
  return server;
}

function refuseOpenServer({ auth, host }: Settings['server']): void {
  if (auth === 'none' && !isLoopbackHost(bracketed(host))) throw openServer(host);
}

function refuseInvalidPublicUrl({ publicUrl }: Settings['server']): void {
  if (publicUrl === undefined) return;
  const url = tryUrl(publicUrl);
  const isValid = url !== undefined && /^https?:$/.test(url.protocol) && !/[?#@]/.test(publicUrl);
  if (isValid) return;
  throw new SondeError(
    'CONFIG_INVALID_VALUE',
    'server.publicUrl: expected an http or https URL without a query',
    {
      details: { key: 'server.publicUrl' },
    },
  );
}

function openServer(host: string): SondeError {
  return new SondeError(
    'CONFIG_INVALID_VALUE',
    `server.auth: none is allowed on a loopback host only, but "${host}" is reachable from elsewhere`,
    { details: { key: 'server.auth' } },
  );
}

/** With a public URL or a trusted proxy, other machines can reach the server although it listens on loopback. */
function isLocalOnly({ host, trustProxy, publicUrl }: Settings['server']): boolean {
  const publicHost = publicUrl === undefined ? host : new URL(publicUrl).host;
  return isLoopbackHost(bracketed(host)) && trustProxy.length === 0 && isLoopbackHost(bracketed(publicHost));
}
