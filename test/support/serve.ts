import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecordsHost } from '../../src/runtimes/node/records/records-host.js';
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

/** The defaults of the settings, on SQLite. */
export const JOB_OPTIONS = {
  concurrency: 10,
  leaseMs: 300_000,
  durationMs: 86_400_000,
  maxAttempts: 3,
  pollMs: 1_000,
  retentionMs: 30 * 86_400_000,
  recordsWorkerUrl: RECORDS_WORKER_URL,
  documentWorkerUrl: DOCUMENT_WORKER_URL,
  migrationsUrl: new URL('../../migrations/', import.meta.url),
} as const;

export interface ServedForTest {
  readonly url: string;
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** Options for the embedded server on a free port of loopback, without authentication, on the given folder. */
export function serveOptions(dataDir: string): ServeOptions {
  return {
    host: '127.0.0.1',
    port: 0,
    dataDir,
    auth: 'none',
    trustProxy: [],
    corsOrigins: [],
    jwt: {},
    serviceTokens: [],
    bodyBytesMax: 16 * 1024 * 1024,
    headerBytesMax: 16 * 1024,
    streamBytesMax: 64 * 1024 ** 3,
    connectionsMax: 10_000,
    ratePerMinute: 0,
    drainMs: 0,
    longPollMs: 500,
    sseMs: 60_000,
    storeWorkerUrl: STORE_WORKER_URL,
    requestWorkerUrl: REQUEST_WORKER_URL,
    reportWorkerUrl: REPORT_WORKER_URL,
    dashboardUrl: DASHBOARD_URL,
    jobs: JOB_OPTIONS,
    log: keepingLog(),
    version: 'test',
  };
}

/** Starts it in a folder that is removed with it, unless one is given. */
export async function serveForTest(options: Partial<ServeOptions> = {}): Promise<ServedForTest> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'sonde-test-'));
  const server = await startServer({ ...serveOptions(dataDir), ...options });
  return {
    url: server.url,
    dataDir,
    async stop() {
      await server.stop();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates tenants besides `default` like an operator: in the store, while the server runs. */
export async function makeTenants(dataDir: string, ...slugs: readonly string[]): Promise<void> {
  const host = await openRecordsHost({ path: join(dataDir, 'records.db'), workerUrl: RECORDS_WORKER_URL });
  for (const slug of slugs) {
    await host.stores.tenants.create({ id: uuidV7(Date.now()), slug, name: slug, quotas: {} });
  }
  await host.close();
}
