import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStoreHost } from '../../src/runtimes/node/sqlite/store-host.js';
import { STORE_WORKER_URL } from '../support/serve.js';
import { streamStoreContract } from './stream-store-contract.js';

const open = (folder: string) =>
  openStoreHost({ path: join(folder, 'sonde.db'), workerUrl: STORE_WORKER_URL, chunkBytes: 16 });

describe('SQLite in its thread', () => {
  streamStoreContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-store-'));
    let host = await open(folder);
    return {
      store: host.store,
      async reopen() {
        await host.close();
        host = await open(folder);
        return host.store;
      },
      async stop() {
        await host.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });

  test('a second process or thread cannot open the same file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-store-'));
    const host = await open(folder);
    try {
      await expect(open(folder)).rejects.toMatchObject({
        code: 'CONFIG_INVALID_VALUE',
        message: expect.stringContaining('another process is using'),
      });
    } finally {
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('every call after closing is refused, and none hangs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-store-'));
    const host = await open(folder);
    const underWay = host.store.get('a');
    await host.close();
    expect(await underWay).toBeUndefined();
    await expect(host.store.get('a')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    rmSync(folder, { recursive: true, force: true });
  });
});
