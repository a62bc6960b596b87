/** Writes a whole database as SQL, for fixtures. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readMigrations } from '../../src/runtimes/node/postgres/read-migrations.js';
import { MIGRATIONS_URL } from './postgres-cluster.js';
import { runSql } from './postgres-database.js';

const SCRIPT = `
const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve('libsql'))});
const database = new Database(process.argv[1]);
const all = (sql) => database.prepare(sql).all();
// The driver's own tables and the state of this machine's clock belong to no one else.
const objects = all("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT IN ('log_layout', 'commit_count') ORDER BY type <> 'table', rowid");
const out = objects.filter(({ type }) => type !== 'trigger').map(({ sql }) => sql + ';');
for (const { name } of objects.filter(({ type, name }) => type === 'table' && name !== 'clock_state')) {
  const columns = all('PRAGMA table_xinfo(' + name + ')').filter(({ hidden }) => hidden === 0).map((column) => column.name);
  const values = columns.map((column) => 'quote(' + column + ')').join(" || ', ' || ");
  for (const { row } of all('SELECT ' + values + ' AS row FROM ' + name))
    out.push('INSERT INTO ' + name + ' (' + columns.join(', ') + ') VALUES (' + row + ');');
}
// After the rows, which are counted already.
out.push(...objects.filter(({ type }) => type === 'trigger').map(({ sql }) => sql + ';'));
process.stdout.write(out.join('\\n') + '\\n');
`;

export function dumpSqlite(path: string): string {
  return execFileSync(process.execPath, ['-e', SCRIPT, path], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
}

/** The migrations of today, and rows that are inserted without triggers and checks of keys. */
export async function dumpPostgres(url: string): Promise<string> {
  const ledger = `CREATE TABLE sonde_migrations (
  name TEXT PRIMARY KEY, sha256 CHAR(64) NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now(), compatible_since TEXT
);`;
  const out = [ledger, ...(await readMigrations(MIGRATIONS_URL)).map(({ sql }) => sql)];
  out.push('SET session_replication_role = replica;');
  const tables = await runSql(
    url,
    `SELECT table_name AS name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
    FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'NEVER' AND table_name <> 'sonde_clock'
    GROUP BY 1 ORDER BY 1`,
  );
  for (const { name, columns } of tables) {
    const rows = await runSql(url, `SELECT quote_literal(to_jsonb(t)::text) AS row FROM ${name} t`);
    for (const { row } of rows)
      out.push(
        `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::${name}, ${row});`,
      );
  }
  out.push('SET session_replication_role = origin;');
  return `${out.join('\n')}\n`;
}
