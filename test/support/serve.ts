import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServeOptions, startServer } from '../../src/runtimes/node/server/index.js';
import { keepingLog } from './app-for-tests.js';

/** The built thread of the store; the projects that use it build before they run. */
export const STORE_WORKER_URL = new URL('../../dist/store-worker.js', import.meta.url);

/** The built thread of the records. */
export const RECORDS_WORKER_URL = new URL('../../dist/records-worker.js', import.meta.url);

export interface ServedForTest {
  readonly url: string;
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** The embedded server on a free port of loopback, without authentication, in a folder that goes with it. */
export async function serveForTest(options: Partial<ServeOptions> = {}): Promise<ServedForTest> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'sonde-test-'));
  const server = await startServer({
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
    ratePerMinute: 0,
    drainMs: 0,
    longPollMs: 500,
    storeWorkerUrl: STORE_WORKER_URL,
    log: keepingLog(),
    version: 'test',
    ...options,
  });
  return {
    url: server.url,
    dataDir,
    async stop() {
      await server.stop();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
