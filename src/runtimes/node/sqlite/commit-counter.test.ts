import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CommitCounter } from './commit-counter.js';
import { openDatabase } from './open-database.js';

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-counter-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function openCounter(folder: string, file = 'records.db') {
  const database = openDatabase(join(folder, file), { shared: true });
  const counter = new CommitCounter(database, join(folder, 'records.db-mark'), () => 1_000);
  onTestFinished(() => {
    counter.close();
    database.close();
  });
  const commit = () => {
    database.begin();
    counter.count();
    database.commit();
    counter.committed();
  };
  return { database, counter, commit };
}

test('two processes that count in one file cause no alarm, and a loss is found once', () => {
  const folder = openFolder();
  const [one, two] = [openCounter(folder), openCounter(folder)];
  for (const { commit } of [one, two, two, one, two]) commit();
  expect(openCounter(folder).counter.takeLoss()).toBeUndefined();
  // Another file takes the place of the database.
  const lost = openCounter(folder, 'other.db');
  expect(lost.counter.takeLoss()).toEqual({
    acknowledged: { count: 5, at: 1_000 },
    found: { count: 0, at: 0 },
  });
  lost.commit();
  expect(openCounter(folder, 'other.db').counter.takeLoss()).toBeUndefined();
});

test('a transaction that was rolled back is not counted', () => {
  const folder = openFolder();
  const { database, counter, commit } = openCounter(folder);
  commit();
  database.begin();
  counter.count();
  database.rollback();
  counter.undone();
  counter.committed();
  expect(openCounter(folder).counter.takeLoss()).toBeUndefined();
});

test('tells changes from reads', () => {
  const { database, counter } = openCounter(openFolder());
  const before = counter.changes();
  database.all('SELECT n FROM commit_count', []);
  expect(counter.changes()).toBe(before);
  counter.count();
  expect(counter.changes()).toBeGreaterThan(before);
});
