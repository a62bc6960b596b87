import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeletionOutbox } from '../../src/runtimes/cloudflare/deletions/deletion-outbox.js';
import { type OpenDatabase, openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';

/** The outbox rows of an object that has segments to remove, over the same interface on a Node file. */
let folder: string;
let database: OpenDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-outbox-'));
  database = openDatabase(join(folder, 'object.db'));
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a ticket is due at once, then after growing pauses of up to ten minutes, across restarts', () => {
  new DeletionOutbox(database).add(['a/1', 'a/2']);
  const waits: number[] = [];
  let now = 1_000_000;
  for (let send = 0; send < 9; send++) {
    const outbox = new DeletionOutbox(database);
    const due = outbox.dueBy(now);
    expect(due).toHaveLength(1);
    outbox.sent(due, now);
    expect(outbox.dueBy((outbox.dueAt ?? 0) - 1)).toEqual([]);
    waits.push((outbox.dueAt ?? 0) - now);
    now = outbox.dueAt ?? 0;
  }
  expect(waits.map((ms) => ms / 1_000)).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600]);
});

test('each ticket has its own due time, and the earliest comes next', () => {
  const outbox = new DeletionOutbox(database);
  outbox.add(['a/1']);
  outbox.sent(outbox.tickets, 5_000);
  const [first] = outbox.tickets;
  outbox.add(['a/2']);
  expect([outbox.dueAt, outbox.dueBy(5_000).length]).toEqual([0, 1]);
  outbox.sent(outbox.dueBy(5_000), 6_000);
  expect([outbox.dueAt, outbox.dueBy(15_000)]).toEqual([15_000, [first]]);
  for (const ticket of outbox.tickets) outbox.done(ticket);
  expect(new DeletionOutbox(database).dueAt).toBeUndefined();
});
