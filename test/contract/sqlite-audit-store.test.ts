import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { openAuditStore } from '../support/audit-store-for-tests.js';
import { auditStoreContract } from './audit-store-contract.js';

describe('SQLite', () => {
  auditStoreContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-audits-'));
    let opened = openAuditStore(join(folder, 'sonde.db'));
    return {
      store: opened.store,
      // What a process that was killed leaves: the files as they are, the log beside the database.
      async reopen() {
        const left = join(folder, 'left');
        mkdirSync(left);
        for (const name of readdirSync(folder))
          if (name !== 'left') cpSync(join(folder, name), join(left, name));
        opened.close();
        opened = openAuditStore(join(left, 'sonde.db'));
        return opened.store;
      },
      async stop() {
        opened.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
});
