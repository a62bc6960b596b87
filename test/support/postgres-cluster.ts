/**
 * A PostgreSQL server for the tests: a new cluster in a temporary folder, reached by a socket in it and removed after
 * the tests. A template database has the migrated schema, and `database` copies it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { readMigrations } from '../../src/runtimes/node/postgres/read-migrations.js';
import { applyMigrations } from '../../src/stores/postgres/apply-migrations.js';
import { findPostgres, serverUser } from './find-postgres.js';
import { keepingLog } from './keeping-log.js';

export const MIGRATIONS_URL = new URL('../../migrations/', import.meta.url);
const TEMPLATE = 'sonde_template';
const SETTINGS = ['listen_addresses=', 'max_connections=200', 'shared_buffers=128MB', 'max_wal_size=512MB'];
const START_MS = 60_000;

export interface PostgresCluster {
  readonly how: string;
  urlOf(database: string): string;
  /** Creates a database with the whole schema, from the template. */
  database(): Promise<string>;
  /** Creates an empty database. */
  emptyDatabase(): Promise<string>;
  /** Stops the server and starts it again, like a crash or like an operator. */
  restart(how?: 'immediate' | 'fast'): Promise<void>;
  /** Runs a statement as the administrator. */
  sql(text: string): Promise<void>;
  stop(): Promise<void>;
}

/** `env` is that of the server alone. */
export async function startPostgres(
  extra: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<PostgresCluster> {
  const { bin, how } = findPostgres();
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'sonde-pg-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (user) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  chmodSync(folder, 0o755);
  const as = { ...user, cwd: folder, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' } };
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  execFileSync(join(bin, 'initdb'), initdb, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
  const urlOf = (database: string) => `postgres:///${database}?host=${folder}&user=postgres`;
  const start = async () => {
    const settings = [`unix_socket_directories=${folder}`, ...SETTINGS, ...extra];
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
      ...as,
      env: { ...as.env, ...env },
      stdio: 'ignore',
    });
    endWithThisProcess(child);
    await responses(child, urlOf('postgres'));
    return child;
  };
  let server = await start();
  let databases = 0;
  const create = async (template: string) => {
    const name = `sonde_${process.pid}_${++databases}_${Math.floor(Math.random() * 1e9)}`;
    await admin(urlOf('postgres'), `CREATE DATABASE ${name} TEMPLATE ${template}`);
    return urlOf(name);
  };
  await admin(urlOf('postgres'), `CREATE DATABASE ${TEMPLATE}`);
  await migrate(urlOf(TEMPLATE));
  return {
    how: `${how} ${bin}`,
    urlOf,
    database: () => create(TEMPLATE),
    emptyDatabase: () => create('template0'),
    async restart(how = 'immediate') {
      await end(server, how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      server = await start();
    },
    sql: (text) => admin(urlOf('postgres'), text),
    async stop() {
      await end(server, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Stops the server even if this process is killed, which closes the pipe. */
function endWithThisProcess(server: ChildProcess): void {
  const watcher = spawn('sh', ['-c', 'read -r _; kill -QUIT "$0"', String(server.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  server.once('exit', () => watcher.kill());
}

async function migrate(url: string): Promise<void> {
  const database = openPostgres({ url, log: keepingLog() });
  await applyMigrations(database, await readMigrations(MIGRATIONS_URL));
  await database.close();
}

async function admin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function responses(server: ChildProcess, url: string): Promise<void> {
  const until = Date.now() + START_MS;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
    try {
      return await admin(url, 'SELECT 1');
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill(signal);
  await once(server, 'exit');
}
