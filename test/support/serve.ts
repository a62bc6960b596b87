import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthOptions } from '../../src/api/auth/compose-auth.js';
import type { ServiceToken } from '../../src/api/auth/service-tokens.js';
import { resolveSettings } from '../../src/config/resolve-settings.js';
import type { Settings } from '../../src/config/settings.js';
import type { Log } from '../../src/log.js';
import type { RouteSetting } from '../../src/proxy/index.js';
import type { BuiltUrls } from '../../src/runtimes/node/built-urls.js';
import { openRecordsHost } from '../../src/runtimes/node/records/records-host.js';
import { openRecordStores, type RecordStoreSet } from '../../src/runtimes/node/server/compose-records.js';
import { type ServeOptions, startServer } from '../../src/runtimes/node/server/index.js';
import { uuidV7 } from '../../src/uuid.js';
import { keepingLog } from './keeping-log.js';

/** The built store thread; the projects that use it build it first. */
export const STORE_WORKER_URL = new URL('../../dist/store-worker.js', import.meta.url);

/** The built records thread. */
export const RECORDS_WORKER_URL = new URL('../../dist/records-worker.js', import.meta.url);

/** The built thread that reads documents. */
export const REQUEST_WORKER_URL = new URL('../../dist/request-worker.js', import.meta.url);

/** The built thread that renders reports. */
export const REPORT_WORKER_URL = new URL('../../dist/report-worker.js', import.meta.url);

/** The built dashboard. */
export const DASHBOARD_URL = new URL('../../dist/dashboard/', import.meta.url);
export const DOCUMENT_WORKER_URL = new URL('../../dist/document-worker.js', import.meta.url);

export const URLS: BuiltUrls = {
  storeWorker: STORE_WORKER_URL,
  recordsWorker: RECORDS_WORKER_URL,
  requestWorker: REQUEST_WORKER_URL,
  reportWorker: REPORT_WORKER_URL,
  documentWorker: DOCUMENT_WORKER_URL,
  migrations: new URL('../../migrations/', import.meta.url),
  docs: new URL('../../docs/', import.meta.url),
  dashboard: DASHBOARD_URL,
};

const DEFAULTS = resolveSettings({}).settings;

export const JOB_OPTIONS = DEFAULTS.jobs;

export interface ServedForTest {
  readonly url: string;
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** What a test says about a server: settings, those of `server` without their group, and what only a test replaces. */
export interface TestOptions extends Partial<Omit<Settings['server'], 'data'>> {
  readonly dataDir?: string | undefined;
  readonly jwt?: Pick<AuthOptions['jwt'], 'secret' | 'issuer' | 'audience'> & ServeOptions['jwt'];
  readonly serviceTokens?: readonly ServiceToken[];
  readonly net?: Partial<Settings['net']>;
  readonly proxy?: Partial<Omit<Settings['proxy'], 'routes'>> & {
    readonly routes?: Readonly<Record<string, RouteSetting>>;
  } & Partial<Pick<ServeOptions, 'env' | 'timers'>>;
  readonly jobs?: Partial<Settings['jobs']>;
  readonly compare?: Partial<Settings['compare']>;
  readonly audit?: Partial<Settings['audit']>;
  readonly urls?: Partial<BuiltUrls>;
  readonly log?: Log;
}

type GivenSettings = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** The settings that a test gives, by group. */
export function settingsOf({
  dataDir: _dataDir,
  urls: _urls,
  log: _log,
  jwt: { secret: jwtSecret, issuer, audience } = {},
  serviceTokens = [],
  proxy: { env: _env, timers: _timers, ...proxy } = {},
  net,
  jobs,
  compare,
  audit,
  ...server
}: TestOptions): GivenSettings {
  return { server, auth: { jwtSecret, issuer, audience, serviceTokens }, net, jobs, compare, audit, proxy };
}

/** Options for the embedded server on a free port of loopback, without authentication, on the given folder. */
export function serveOptions(dataDir: string, options: TestOptions = {}): ServeOptions {
  const { server, ...given } = settingsOf(options);
  const limits = { ratePerMinute: 0, drainMs: 0, longPollMs: 500, bodyBytesMax: 16 * 1024 * 1024 };
  const chosen: GivenSettings = {
    ...given,
    server: { port: 0, auth: 'none', ...limits, ...server, data: dataDir },
  };
  const settings = Object.entries(DEFAULTS).map(([group, values]) => [
    group,
    { ...values, ...chosen[group] },
  ]);
  const { secret: _secret, issuer: _issuer, audience: _audience, ...jwt } = options.jwt ?? {};
  const { env = () => undefined, timers } = options.proxy ?? {};
  return {
    settings: Object.fromEntries(settings),
    urls: { ...URLS, ...options.urls },
    ...{ env, jwt, log: options.log ?? keepingLog() },
    ...(timers && { timers }),
  };
}

/** Starts it in a folder that is removed with it, unless one is given. */
export async function serveForTest(options: TestOptions = {}): Promise<ServedForTest> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'sonde-test-'));
  const server = await startServer(serveOptions(dataDir, options));
  return {
    url: server.url,
    dataDir,
    async stop() {
      await server.stop();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Opens the record stores without a server, as the commands for tenants do. */
export function openRecordsForTest(dataDir: string, jobs: TestOptions['jobs'] = {}): Promise<RecordStoreSet> {
  return openRecordStores(serveOptions(dataDir, { jobs }));
}

/** Creates tenants besides `default` like an operator: in the store, while the server runs. */
export async function makeTenants(dataDir: string, ...slugs: readonly string[]): Promise<void> {
  const host = await openRecordsHost({ path: join(dataDir, 'records.db'), workerUrl: RECORDS_WORKER_URL });
  for (const slug of slugs) {
    await host.stores.tenants.create({ id: uuidV7(Date.now()), slug, name: slug, quotas: {} });
  }
  await host.close();
}
