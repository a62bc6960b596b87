/**
 * Accesses a SQLite file from another process. The driver releases a file's lock only when its thread ends, so a test
 * that hands a file to a store must not have opened it itself.
 */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';

const SCRIPT = `
const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve('libsql'))});
const { path, sql } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const database = new Database(path);
database.exec(sql);
const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
const hex = (_key, value) => value?.type === 'Buffer' ? Buffer.from(value.data).toString('hex')
  : value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? Buffer.from(value).toString('hex') : value;
const rows = names.map(({ name }) => [name, database.prepare('SELECT * FROM ' + name).all()]);
process.stdout.write(JSON.stringify(Object.fromEntries(rows), hex));
`;

/** Runs the statements, and then returns the rows of every table, with bytes in hex. */
export function sqliteTables(path: string, sql = ''): Record<string, readonly Record<string, unknown>[]> {
  const input = JSON.stringify({ path, sql });
  const out = execFileSync(process.execPath, ['-e', SCRIPT], { input, encoding: 'utf8' });
  return JSON.parse(out) as Record<string, readonly Record<string, unknown>[]>;
}
