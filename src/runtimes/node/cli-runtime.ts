/**
 * The command line's runtime port on Node. It turns settings into the options of the server, the log and the other
 * parts. Each part is imported only when a command needs it, so that `--version` does not load them.
 */
import process from 'node:process';
import type { AuditReport } from '../../audits/index.js';
import type {
  AuditRequest,
  OpenTenants,
  ProbeClient,
  RunningWorker,
  Runtime,
  TokenRequest,
} from '../../cli/ports.js';
import { parseJson } from '../../config/parse-json.js';
import type { Settings } from '../../config/settings.js';
import { SondeError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { UrlExplanation } from '../../net/index.js';
import { credentialVariables } from '../../proxy/route-credential.js';
import type { BuiltUrls } from './built-urls.js';
import { JWKS_BYTES_MAX } from './load-jwks.js';
import { outboundOptions } from './outbound-options.js';
import type { ServeOptions } from './server/index.js';
import type { StopSignals } from './stop-signals.js';

/** Creates the log, which redacts all secrets of the configuration and of the data folder. */
async function createLog({ log, auth, server, proxy, explain, jobs }: Settings): Promise<Log> {
  const { createRedactor } = await import('../../net/redact/index.js');
  const { createPinoLog } = await import('./pino-log.js');
  const redactor = createRedactor();
  const { secretFiles } = await import('./server/secrets.js');
  const secrets = secretFiles(server.data);
  for (const key of Object.values(await secrets.webhooks())) redactor.protect(key);
  if (server.auth === 'jwt') {
    for (const secret of Object.values(await secrets.auth())) redactor.protect(secret);
  }
  const own = [
    auth.jwtSecret,
    explain.key,
    jobs.databaseUrl,
    jobs.webhookSecret,
    ...(jobs.sealingSecret ?? []),
  ];
  for (const secret of own) {
    if (secret) redactor.protect(secret);
  }
  for (const { token } of auth.serviceTokens) redactor.protect(token);
  for (const key of proxy.signingSecret ?? (await secrets.signing())) redactor.protect(key);
  for (const key of routeKeys(proxy.routes)) redactor.protect(key);
  const format = log.format ?? (process.stderr.isTTY ? 'pretty' : 'json');
  return createPinoLog({ level: log.level, format, redactor });
}

/** The keys of upstreams, from the environment. */
function routeKeys(routes: Settings['proxy']['routes']): string[] {
  const named = Object.values(routes).flatMap(({ credential }) => credentialVariables(credential));
  return named.flatMap((name) => process.env[name] ?? []);
}

async function jwksLoader(settings: Settings): Promise<Pick<ServeOptions, 'jwt'>> {
  const { jwks } = settings.auth;
  if (jwks === undefined) return {};
  const { createJwksLoader } = await import('./load-jwks.js');
  return { jwt: await createJwksLoader(jwks, await fetchJsonOver(settings)) };
}

const JWKS_MS = 10_000;

/** A remote JWKS is fetched through the egress layer like everything else. */
async function fetchJsonOver(settings: Settings): Promise<(url: string) => Promise<unknown>> {
  const { createOutboundClient } = await import('./net.js');
  const { fetchWhole } = await import('../../net/index.js');
  const outbound = createOutboundClient(await outboundOptions(settings.net));
  return async (url) => {
    const request = { url, maxRedirects: 0, limits: { totalMs: JWKS_MS } };
    const bytes = await fetchWhole(outbound.egress, request, JWKS_BYTES_MAX);
    const parsed = parseJson(new TextDecoder().decode(bytes));
    if (parsed.ok) return parsed.value;
    throw new SondeError('decode_error', `${url} did not return JSON`);
  };
}

async function checkUrl(
  settings: Settings,
  url: string,
  addresses?: readonly string[],
): Promise<UrlExplanation> {
  const { createPolicy, explainUrl } = await import('../../net/index.js');
  const { createCaresResolver } = await import('./egress/cares-resolver.js');
  const { ownAddresses } = await import('./egress/own-addresses.js');
  const { allowPrivate, connectTo, dnsServers } = settings.net;
  const policy = createPolicy({ allowPrivate, connectTo, ownAddresses });
  const resolver = addresses
    ? { resolve: async () => addresses }
    : createCaresResolver({ servers: dnsServers });
  return explainUrl(policy, resolver, url);
}

async function openProbes(settings: Settings): Promise<ProbeClient> {
  const { openProbeClient } = await import('./probe.js');
  const { fetchWhole, refusalError } = await import('../../net/index.js');
  const { probeOptions } = await import('./probe-options.js');
  const { sha256 } = await import('./sha256.js');
  const { provider, outbound, close } = openProbeClient(
    probeOptions(await outboundOptions(settings.net), settings.compare),
  );
  const refuse = (url: string): void => {
    const verdict = outbound.egress.policy.judgeUrl(url);
    if (!verdict.ok) throw refusalError(verdict.refusal);
  };
  const fetchBytes: ProbeClient['fetchBytes'] = (url, headers) =>
    fetchWhole(outbound.egress, { url, headers });
  const probes = { provider, sha256, refuse, fetchBytes, close };
  if (settings.explain.baseUrl === undefined) return probes;
  const { configuredModel, createModelExplainer } = await import('../../explain/index.js');
  const model = configuredModel(settings.explain);
  return { ...probes, ...(model && { explainer: createModelExplainer(outbound.egress, model) }) };
}

async function startServer(
  settings: Settings,
  { log, demo }: { readonly log: Log; readonly demo: boolean },
  urls: BuiltUrls,
) {
  const { startServer: start } = await import('./server/index.js');
  return start({
    ...{ settings, urls, log, demo },
    ...(await jwksLoader(settings)),
    env: (name) => process.env[name],
    databaseWaitMs: DATABASE_WAIT_MS,
  });
}

/** How long to wait for the database, because a server or worker may be started before it. */
const DATABASE_WAIT_MS = 60_000;

async function startWorker(settings: Settings, log: Log, urls: BuiltUrls): Promise<RunningWorker> {
  if (settings.jobs.databaseUrl === undefined) {
    throw new SondeError(
      'USAGE',
      'a worker needs a shared database: set DATABASE_URL. Without one, "sonde serve" runs its own jobs.',
    );
  }
  const { startWorker: start } = await import('./server/start-worker.js');
  return start({ settings, urls, log, databaseWaitMs: DATABASE_WAIT_MS });
}

/** The commands for tenants use the store directly, also while a server is running. */
async function openTenants(settings: Settings, log: Log, urls: BuiltUrls): Promise<OpenTenants> {
  const { openRecordStores } = await import('./server/compose-records.js');
  const { refusePartialBackup } = await import('./backup/partial-backup.js');
  const { mkdir } = await import('node:fs/promises');
  refusePartialBackup(settings.server.data);
  await mkdir(settings.server.data, { recursive: true, mode: 0o700 });
  const stores = await openRecordStores({ settings, urls, log });
  return { tenants: stores.tenants, close: () => stores.close() };
}

async function signingSecret({ auth, server }: Settings): Promise<string> {
  if (auth.jwtSecret !== undefined) return auth.jwtSecret;
  if (auth.jwks !== undefined) {
    throw new SondeError(
      'USAGE',
      'this server verifies tokens with auth.jwks, so only the issuer of its keys can mint one',
    );
  }
  const { secretFiles } = await import('./server/secrets.js');
  return (await secretFiles(server.data).auth()).jwtSecret;
}

export async function mintToken(settings: Settings, request: TokenRequest): Promise<string> {
  const secret = await signingSecret(settings);
  const { mintToken: mint } = await import('../../api/auth/mint-token.js');
  const { issuer, audience } = settings.auth;
  return mint({
    secret,
    ...request,
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  });
}

async function auditSite(settings: Settings, request: AuditRequest, workerUrl: URL): Promise<AuditReport> {
  const { createDocumentThreads } = await import('./audit/document-threads.js');
  const documents = createDocumentThreads(workerUrl);
  try {
    // The thread starts while the rest of the program is loading.
    documents.prepare();
    const { runAudit } = await import('./audit/run-audit.js');
    const options = { ...(await outboundOptions(settings.net)), bounds: settings.audit };
    return await runAudit(options, request, documents);
  } finally {
    await documents.close();
  }
}

const DOCS_BYTES_MAX = 1_000_000;

export function createCliRuntime(signals: StopSignals, urls: BuiltUrls): Runtime {
  return {
    importConfig: async (path) => (await import('./load-config.js')).loadConfig(path),
    createLog,
    startServer: (settings, options) => startServer(settings, options, urls),
    startWorker: (settings, log) => startWorker(settings, log, urls),
    openTenants: (settings, log) => openTenants(settings, log, urls),
    mintToken,
    loginLink: async (settings) => (await import('./server/login-link.js')).loginLink(settings),
    checkUrl,
    openProbes,
    listenLocally: async (respond) => (await import('./listen-locally.js')).listenLocally(respond),
    runEgressCase: async (test) => (await import('./cases/run-egress-case.js')).runEgressCase(test),
    callServer: async (settings, call) => (await import('./call-server.js')).callServer(settings, call),
    async *verifyStreams({ server }) {
      const { verifyDataFolder } = await import('./verify-data-folder.js');
      yield* verifyDataFolder(server.data, urls.storeWorker);
    },
    async *repairStreams({ server }, options) {
      const { repairDataFolder } = await import('./verify-data-folder.js');
      yield* repairDataFolder(server.data, urls.storeWorker, options);
    },
    async backup({ server }, target) {
      const { backupDataFolder } = await import('./backup/backup-data-folder.js');
      return backupDataFolder({ dataDir: server.data, target, storeWorkerUrl: urls.storeWorker });
    },
    compact: async ({ server }) => (await import('./compact-data-folder.js')).compactDataFolder(server.data),
    auditSite: (settings, request) => auditSite(settings, request, urls.documentWorker),
    readDocs: async (page) => {
      const { createFiles } = await import('./files.js');
      const { fileURLToPath } = await import('node:url');
      return createFiles().readText(fileURLToPath(new URL(page, urls.docs)), { bytesMax: DOCS_BYTES_MAX });
    },
    claimStopSignal: () => signals.claim(),
  };
}
