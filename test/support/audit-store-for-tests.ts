/** The real SQLite audit store in this thread, in a folder that is gone after the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditStore } from '../../src/audits/index.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { auditStorePort, type CallAuditStore } from '../../src/stores/sqlite/audit-store-port.js';
import { SqliteAuditStore } from '../../src/stores/sqlite/sqlite-audit-store.js';

export interface OpenedAuditStore {
  readonly store: AuditStore;
  close(): void;
}

export function openAuditStore(path: string): OpenedAuditStore {
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

export function auditStoreForTests(): OpenedAuditStore {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-audits-'));
  const opened = openAuditStore(join(folder, 'sonde.db'));
  return {
    store: opened.store,
    close() {
      opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
