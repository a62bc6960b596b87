import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { openStoreHost, type StoreHost } from '../../src/runtimes/node/sqlite/store-host.js';
import { STORE_WORKER_URL } from '../support/serve.js';
import { describeProxyStore } from './proxy-store-contract.js';

let folder: string;
let host: StoreHost;

const open = () => openStoreHost({ path: join(folder, 'sonde.db'), workerUrl: STORE_WORKER_URL });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-proxy-store-'));
  host = await open();
});
afterEach(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

describeProxyStore('SQLite in its thread', () => ({
  store: host.proxy,
  async reopen() {
    await host.close();
    host = await open();
    return host.proxy;
  },
}));
