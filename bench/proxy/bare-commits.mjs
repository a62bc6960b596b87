// The physical limit of the proxy: SQLite with the same driver and settings as the store, one record per commit.
// Arguments: folder, bytes per record, number of records, milliseconds between two. Prints seconds, and the times of
// commits.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder = '.', bytes = '64', count = '100', everyMs = '0'] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const path = join(folder, `bare-${process.pid}.db`);

/** @returns {{ exec(sql: string): unknown, insert(data: Uint8Array): unknown }} */
function open() {
  process.removeAllListeners('warning');
  /** A module name that the types of the oldest Node do not have. */
  const builtin = 'node:sqlite';
  try {
    const { DatabaseSync } = require(builtin);
    const database = new DatabaseSync(path);
    return { exec: (sql) => database.exec(sql), insert: prepared((sql) => database.prepare(sql)) };
  } catch {
    const database = new (require('libsql'))(path);
    return { exec: (sql) => database.exec(sql), insert: prepared((sql) => database.prepare(sql)) };
  }
}

/** @param {(sql: string) => { run(data: unknown): unknown }} prepare */
function prepared(prepare) {
  /** @type {{ run(data: unknown): unknown } | undefined} */
  let statement;
  /** @param {Uint8Array} data */
  return (data) => {
    statement ??= prepare('INSERT INTO records (data) VALUES (?)');
    return statement.run([data]);
  };
}

const database = open();
for (const setting of [
  'journal_mode = WAL',
  'synchronous = FULL',
  'locking_mode = EXCLUSIVE',
  'wal_autocheckpoint = 1000',
])
  database.exec(`PRAGMA ${setting}`);
database.exec('CREATE TABLE records (id INTEGER PRIMARY KEY, data BLOB)');
const data = new Uint8Array(Number(bytes)).fill(98);
const times = [];
let busyMs = 0;
for (let i = 0; i < Number(count); i++) {
  const startedAt = performance.now();
  database.exec('BEGIN IMMEDIATE');
  database.insert(data);
  database.exec('COMMIT');
  times.push(performance.now() - startedAt);
  busyMs += times.at(-1) ?? 0;
  if (Number(everyMs) > 0) await new Promise((resolve) => setTimeout(resolve, Number(everyMs)));
}
console.log(JSON.stringify({ seconds: busyMs / 1000, times }));
