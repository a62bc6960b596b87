/** Faults of PostgreSQL that an operator can fix are named, at the start and while the server runs. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer } from '../../src/runtimes/node/server/index.js';
import { tryBuiltServer } from '../support/built-server.js';
import { keepingLog, type LogLine } from '../support/keeping-log.js';
import { type PostgresCluster, startPostgres } from '../support/postgres-cluster.js';
import { serveForTest, serveOptions } from '../support/serve.js';
import { sonde } from './cli-process.js';

const HBA = `local all guarded scram-sha-256
local all banned reject
local all all trust
`;

let cluster: PostgresCluster;
let folder: string;
let hba: string;
beforeAll(async () => {
  hba = mkdtempSync(join(tmpdir(), 'sonde-hba-'));
  chmodSync(hba, 0o755);
  writeFileSync(join(hba, 'pg_hba.conf'), HBA, { mode: 0o644 });
  cluster = await startPostgres([`hba_file=${join(hba, 'pg_hba.conf')}`]);
  await cluster.sql(`CREATE ROLE guarded LOGIN PASSWORD 'right'`);
  await cluster.sql('CREATE ROLE banned LOGIN');
  await cluster.sql('CREATE ROLE weak LOGIN');
}, 60_000);
afterAll(async () => {
  await cluster.stop();
  rmSync(hba, { recursive: true, force: true });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-database-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const as = (url: string, user: string, password = '') =>
  `${url.replace('user=postgres', `user=${user}`)}${password && `&password=${password}`}`;

test.each([
  [
    'a wrong password',
    (url: string) => as(url, 'guarded', 'wrong'),
    /refused the password.*guarded.*\(28P01\)/,
  ],
  ['no password', (url: string) => as(url, 'guarded'), /asks for a password, and its URL has none/],
  ['an unknown role', (url: string) => as(url, 'nobody_here'), /refused the login.*nobody_here.*\(28000\)/],
  ['a role that may not log in', (url: string) => as(url, 'banned'), /refused the login.*\(28000\)/],
  [
    'an unknown database',
    (url: string) => url.replace(/\/\/\/[^?]+/, '///gone_base'),
    /does not exist on its server.*gone_base.*\(3D000\)/,
  ],
  [
    'a role without permission',
    (url: string) => as(url, 'weak'),
    /has no permission.*schema public \(42501\)/,
  ],
  [
    'a server without TLS',
    (url: string) => `${url}&sslmode=require`,
    /agree on no TLS connection.*does not support SSL/,
  ],
])('%s stops the server and the worker at once, with its own message', async (_what, change, message) => {
  const url = change(await cluster.emptyDatabase());
  const env = { DATABASE_URL: url };
  const started = await tryBuiltServer({ folder, env });
  if ('url' in started) await started.stop();
  expect(started).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
  expect(started).toMatchObject({ stderr: expect.stringContaining('jobs.databaseUrl') });
  const worker = await sonde(['worker', '--data', folder], { env });
  expect([worker.code, worker.stderr]).toEqual([2, expect.stringMatching(message)]);
});

test('a host name that does not resolve is waited for, with the reason', async () => {
  const lines: LogLine[] = [];
  const databaseUrl = 'postgres://user@sonde-test.invalid/base';
  const options = serveOptions(folder, { log: keepingLog(lines), jobs: { concurrency: 0, databaseUrl } });
  await expect(startServer({ ...options, databaseWaitMs: 2_000 })).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    message:
      'jobs.databaseUrl: the database cannot be reached: its host name does not resolve; waited for 2 s',
  });
  // Each attempt takes up to five seconds itself, so one of them uses up the time.
  expect(lines).toContainEqual(
    expect.objectContaining({
      message: 'the database failed',
      fields: expect.objectContaining({
        reason: 'unreachable',
        error: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
      }),
    }),
  );
}, 60_000);

const hello = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ kind: 'hello', url: 'https://left.example.com/' }),
};

async function refusal(url: string) {
  const response = await fetch(`${url}/api/jobs`, hello);
  const { error } = (await response.json()) as { error?: { code: string; reason?: string } };
  return [response.status, response.headers.has('retry-after'), error?.code, error?.reason];
}

test.each([
  [
    'is renamed away',
    'unknown_database',
    '3D000',
    (name: string) => [endSessions(name), `ALTER DATABASE ${name} RENAME TO ${name}_away`],
    (name: string) => [`ALTER DATABASE ${name}_away RENAME TO ${name}`],
  ],
  [
    'accepts no connections',
    'not_accepting',
    '55000',
    (name: string) => [`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`, endSessions(name)],
    (name: string) => [`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`],
  ],
])('a database that %s is unavailable until it is back, and the log has its SQLSTATE', async (...row) => {
  const [_what, reason, sqlstate, harm, heal] = row;
  const databaseUrl = await cluster.database();
  const name = /\/\/\/([^?]+)/.exec(databaseUrl)?.[1] ?? '';
  const lines: LogLine[] = [];
  const jobs = { concurrency: 0, databaseUrl };
  const server = await serveForTest({ dataDir: folder, log: keepingLog(lines), jobs });
  try {
    expect((await fetch(`${server.url}/api/jobs`, hello)).status).toBe(202);
    for (const sql of harm(name)) await cluster.sql(sql);
    // A statement that was sent on a connection that has just ended is sent again.
    await expect.poll(() => refusal(server.url)).toEqual([503, true, 'STORAGE_UNAVAILABLE', reason]);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'the database failed',
        fields: expect.objectContaining({ sqlstate, reason, error: expect.stringContaining(name) }),
      }),
    );
    for (const sql of heal(name)) await cluster.sql(sql);
    await expect.poll(async () => (await fetch(`${server.url}/api/jobs`, hello)).status).toBeLessThan(300);
  } finally {
    await server.stop();
  }
});

test('tables that are gone are 503 and not our error', async () => {
  const databaseUrl = await cluster.database();
  const { pathname } = new URL(databaseUrl.replace('///', '//x/'));
  const server = await serveForTest({
    dataDir: folder,
    jobs: { concurrency: 0, databaseUrl },
  });
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: cluster.urlOf(pathname.slice(1)) });
  await client.connect();
  try {
    await client.query('ALTER TABLE audit_jobs RENAME TO jobs_away');
    expect(await refusal(server.url)).toEqual([503, true, 'STORAGE_UNAVAILABLE', 'schema_changed']);
    await client.query('ALTER TABLE jobs_away RENAME TO audit_jobs');
    expect((await fetch(`${server.url}/api/jobs`, hello)).status).toBe(202);
  } finally {
    await client.end();
    await server.stop();
  }
});

function endSessions(name: string): string {
  return `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
}
