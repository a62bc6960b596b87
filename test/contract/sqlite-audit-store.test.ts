import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { auditStorePort, type CallAuditStore } from '../../src/stores/sqlite/audit-store-port.js';
import { SqliteAuditStore } from '../../src/stores/sqlite/sqlite-audit-store.js';
import { auditStoreContract } from './audit-store-contract.js';

function open(path: string) {
  const database = openDatabase(path);
  const engine = new SqliteAuditStore(database);
  const call = (async (method: string, ...args: unknown[]) => {
    database.begin();
    const result = (engine as unknown as Record<string, (...given: unknown[]) => unknown>)[method]?.(...args);
    database.commit();
    return result;
  }) as CallAuditStore;
  return { store: auditStorePort(call), close: () => database.close() };
}

describe('SQLite', () => {
  auditStoreContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-audits-'));
    let opened = open(join(folder, 'sonde.db'));
    return {
      store: opened.store,
      // What a process that was killed leaves: the files as they are, the log beside the database.
      async reopen() {
        const left = join(folder, 'left');
        mkdirSync(left);
        for (const name of readdirSync(folder)) if (name !== 'left') cpSync(join(folder, name), join(left, name));
        opened.close();
        opened = open(join(left, 'sonde.db'));
        return opened.store;
      },
      async stop() {
        opened.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
});
