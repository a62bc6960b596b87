import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './open-database.js';

/** `npm run faults -- streams-sync` proves by system calls what follows from these; they are easily lost. */
test.each([{ shared: false }, { shared: true }])(
  'with %j a commit has been synced when it returns',
  (options) => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-open-'));
    const database = openDatabase(join(folder, 'sonde.db'), options);
    onTestFinished(() => {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const setting = (name: string) => Object.values(database.all(`PRAGMA ${name}`, [])[0] ?? {})[0];
    expect([setting('journal_mode'), setting('synchronous'), setting('foreign_keys')]).toEqual(['wal', 2, 1]);
  },
);

test('background work leaves a short log, other work a long one', () => {
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
  const movedNow = () => {
    const [row] = database.all('PRAGMA wal_checkpoint(PASSIVE)', []);
    return Number(row?.['log']);
  };
  movedNow();
  for (let n = 0; n < 8; n++) write();
  expect(movedNow()).toBeGreaterThan(700);
  for (let n = 0; n < 8; n++) write('background');
  expect(movedNow()).toBeLessThan(400);
});
