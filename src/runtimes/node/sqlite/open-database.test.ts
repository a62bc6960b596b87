import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './open-database.js';

/** These settings are easily lost. `npm run faults -- streams-sync` checks their effect by system calls. */
test.each([{ shared: false }, { shared: true }])('a commit is synced when it returns, with %j', (options) => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-open-'));
  const database = openDatabase(join(folder, 'sonde.db'), options);
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const setting = (name: string) => Object.values(database.all(`PRAGMA ${name}`, [])[0] ?? {})[0];
  expect([setting('journal_mode'), setting('synchronous'), setting('foreign_keys')]).toEqual(['wal', 2, 1]);
});

test('keeps a short log after background work and a long one after other work', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-open-'));
  const database = openDatabase(join(folder, 'sonde.db'));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  database.run('CREATE TABLE t (d BLOB)', []);
  const write = (kind?: 'background') => {
    database.begin();
    database.run('INSERT INTO t VALUES (zeroblob(400000))', []);
    database.commit(kind);
  };
  const checkpointed = () => {
    const [row] = database.all('PRAGMA wal_checkpoint(PASSIVE)', []);
    return Number(row?.['log']);
  };
  checkpointed();
  for (let n = 0; n < 8; n++) write();
  expect(checkpointed()).toBeGreaterThan(700);
  for (let n = 0; n < 8; n++) write('background');
  expect(checkpointed()).toBeLessThan(400);
});
