/** Operator actions on a server and its database, and the server's responses meanwhile. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openRecordStores } from '../../src/runtimes/node/server/compose-records.js';
import { startServer } from '../../src/runtimes/node/server/index.js';
import { startBuiltServer, tryBuiltServer } from '../support/built-server.js';
import { keepingLog, type LogLine } from '../support/keeping-log.js';
import { useLoopTime } from '../support/loop-time.js';
import { type PgProxy, startPgProxy } from '../support/pg-proxy.js';
import { newDatabase, runSql } from '../support/postgres-database.js';
import { JOB_OPTIONS, serveForTest, serveOptions } from '../support/serve.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-operations-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Said {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: { error?: { code: string; message: string; failed?: string[] } };
  readonly ms: number;
}

const loopMs = useLoopTime();

async function ask(url: string, init: RequestInit = {}): Promise<Said> {
  const from = loopMs();
  const response = await fetch(url, { ...init, headers: { 'content-type': 'application/json' } });
  const body = (await response.json()) as Said['body'];
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter, body, ms: loopMs() - from };
}

const hello = { method: 'POST', body: JSON.stringify({ kind: 'hello', url: 'https://left.example.com/' }) };

describe('a database', () => {
  let proxy: PgProxy;
  let url: string;
  beforeEach(async () => {
    url = await newDatabase();
    proxy = await startPgProxy(url);
  });
  afterEach(() => proxy.close());

  const onDatabase = (databaseUrl: string) => ({ jobs: { ...JOB_OPTIONS, concurrency: 0, databaseUrl } });

  test('that stalls is unavailable within six seconds, and the server is not ready within two', async () => {
    const server = await serveForTest(onDatabase(proxy.url));
    try {
      expect((await ask(`${server.url}/api/ready`)).status).toBe(200);
      // Each request below uses a connection that was established before the stall.
      proxy.stall();
      const together = Array.from({ length: 8 }, () => ask(`${server.url}/api/jobs`));
      proxy.resume();
      expect((await Promise.all(together)).map(({ status }) => status)).toEqual(Array(8).fill(200));
      proxy.stall();
      const [ready, list, create] = await Promise.all([
        ask(`${server.url}/api/ready`),
        ask(`${server.url}/api/jobs`),
        ask(`${server.url}/api/jobs`, hello),
      ]);
      expect(ready).toMatchObject({ status: 503, retryAfter: '5', body: { error: { code: 'NOT_READY' } } });
      expect(ready.body.error?.message).toContain('jobs (no response within 1500 ms)');
      expect(ready.ms).toBeLessThan(2_000);
      for (const said of [list, create]) {
        expect(said).toMatchObject({ status: 503, retryAfter: '2' });
        expect(said.body.error?.message).toContain('stalled: no response within 5000 ms');
        expect(said.ms).toBeLessThan(6_000);
      }
      proxy.resume();
      expect((await ask(`${server.url}/api/jobs`)).status).toBe(200);
    } finally {
      proxy.cut();
      await server.stop();
    }
  });

  test('with two seconds of latency each way works, slowly', async () => {
    const server = await serveForTest(onDatabase(proxy.url));
    try {
      proxy.cut();
      proxy.delay(2_000);
      expect((await ask(`${server.url}/api/jobs`)).status).toBe(200);
      expect((await ask(`${server.url}/api/jobs`, hello)).status).toBe(202);
    } finally {
      proxy.delay(0);
      await server.stop();
    }
  });

  test('that became read-only is reported as such until it accepts writes again', async () => {
    const server = await serveForTest(onDatabase(proxy.url));
    const name = new URL(proxy.url).pathname.slice(1);
    try {
      await runSql(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      proxy.cut();
      const said = await ask(`${server.url}/api/jobs`, hello);
      expect(said).toMatchObject({ status: 503, body: { error: { code: 'STORAGE_UNAVAILABLE' } } });
      expect(said.body.error?.message).toContain('read-only');
      expect((await ask(`${server.url}/api/ready`)).status).toBe(503);
      const heal = `BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = off; COMMIT`;
      await runSql(url, heal);
      proxy.cut();
      expect((await ask(`${server.url}/api/jobs`, hello)).status).toBe(202);
    } finally {
      await server.stop();
    }
  });

  test('whose connections are terminated under load harms neither the server nor its requests', async () => {
    const server = await serveForTest(onDatabase(proxy.url));
    try {
      let over = false;
      const acknowledged = Array.from({ length: 8 }, () => 0);
      const sides = { leftUrl: 'https://left.example.com/', rightUrl: 'https://right.example.com/' };
      const clients = acknowledged.map(async (_, client) => {
        const statuses: number[] = [];
        for (let n = 0; !over; n++) {
          const body = JSON.stringify({ ...sides, leftUrl: `https://left.example.com/${client}/${n}` });
          statuses.push((await ask(`${server.url}/api/compare`, { method: 'POST', body })).status);
          acknowledged[client] = n;
        }
        return statuses;
      });
      for (let round = 0; round < 8; round++) {
        for (let hit = 0; hit < 3; hit++) {
          await runSql(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sonde' AND datname = current_database()",
          );
        }
        // A request hit on every attempt would rightly be refused, so each is hit by one round at most.
        const before = [...acknowledged];
        await vi.waitUntil(() => acknowledged.every((n, client) => n > 1 + (before[client] ?? 0)), 60_000);
      }
      over = true;
      const statuses = new Set((await Promise.all(clients)).flat());
      expect([...statuses]).toEqual([201]);
    } finally {
      await server.stop();
    }
  });

  test('that is unreachable at the start is waited for, up to a limit', async () => {
    const lines: LogLine[] = [];
    const jobs = { databaseUrl: proxy.url };
    const options = serveOptions(folder, { jobs, log: keepingLog(lines) });
    proxy.stall();
    await expect(openRecordStores(options)).rejects.toThrow(/jobs\.databaseUrl: the database is stalled/);
    const opening = openRecordStores({ ...options, databaseWaitMs: 60_000 });
    await expect
      .poll(() => lines.map(({ message }) => message), { timeout: 20_000 })
      .toContain('waiting for the database');
    proxy.resume();
    await (await opening).close();
  });
});

test('a server whose data folder is gone acknowledges nothing', async () => {
  const server = await serveForTest({ dataDir: folder, jobs: { ...JOB_OPTIONS, concurrency: 0 } });
  try {
    expect((await ask(`${server.url}/api/jobs`, hello)).status).toBe(202);
    rmSync(folder, { recursive: true });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const said = await ask(`${server.url}/api/jobs`, hello);
    expect(said).toMatchObject({ status: 503, body: { error: { code: 'STORAGE_UNAVAILABLE' } } });
    expect(said.body.error?.message).toContain('records.db is gone');
    const ready = await ask(`${server.url}/api/ready`);
    expect(ready).toMatchObject({
      status: 503,
      body: { error: { failed: expect.arrayContaining(['data folder']) } },
    });
    expect(ready.body.error?.message).toContain('data folder (it no longer exists)');
  } finally {
    await server.stop();
  }
});

test('a server whose writes fail is not ready and acknowledges nothing; a restart finds all earlier data', async () => {
  const start = () => startBuiltServer({ folder, args: ['--job-concurrency', '0'] });
  let server = await start();
  try {
    const headers = { 'content-type': 'application/json' };
    const stream = `${server.url}/v1/stream/kept`;
    await fetch(stream, { method: 'PUT', headers });
    expect((await fetch(stream, { method: 'POST', headers, body: '"before"' })).status).toBe(204);
    const accepted = await fetch(`${server.url}/api/jobs`, { ...hello, headers });
    const { jobId } = (await accepted.json()) as { jobId: string };
    expect((await ask(`${server.url}/api/ready`)).status).toBe(200);

    // From here on every write past the first page of a file fails. This needs no right to mount.
    execFileSync('prlimit', [`--pid=${server.pid}`, '--fsize=4096:']);
    const ready = await ask(`${server.url}/api/ready`);
    expect(ready).toMatchObject({
      status: 503,
      retryAfter: '5',
      body: { error: { failed: ['data folder'] } },
    });
    expect(ready.body.error?.message).toContain('the limit on the size of a file is reached');
    for (const refused of [
      await ask(stream, { method: 'POST', body: '"meanwhile"' }),
      await ask(`${server.url}/api/jobs`, hello),
    ]) {
      expect(refused).toMatchObject({ status: 503, body: { error: { code: 'STORAGE_UNAVAILABLE' } } });
      expect(refused.body.error?.message).toContain('until the server is restarted');
    }

    execFileSync('prlimit', [`--pid=${server.pid}`, '--fsize=unlimited:']);
    expect(await ask(`${server.url}/api/ready`)).toMatchObject({
      status: 503,
      body: { error: { failed: expect.arrayContaining(['streams', 'jobs']) } },
    });
    await server.stop();
    server = await start();
    expect((await ask(`${server.url}/api/ready`)).status).toBe(200);
    const kept = await fetch(`${server.url}/v1/stream/kept?offset=-1`);
    expect(await kept.json()).toEqual(['before']);
    expect((await ask(`${server.url}/api/jobs/${jobId}`)).status).toBe(200);
  } finally {
    await server.kill();
  }
});

test('a store that cannot be opened reports the reason', async () => {
  writeFileSync(
    join(folder, 'records.db'),
    'this is no database, but it is long enough to be read as one'.repeat(100),
  );
  await expect(startServer(serveOptions(folder))).rejects.toThrow(
    /records\.db cannot be opened: it is not a SQLite database/,
  );
});

/** SIGTERM is covered by `cli-serve.test.ts`. */
test.each(['SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const)(
  '%s drains and stops the server cleanly',
  async (signal) => {
    const server = await startBuiltServer({ folder });
    expect(await server.end(signal)).toEqual({ code: 0, signal: null });
  },
);

test('a live reader can distinguish a killed server from the end of its response', async () => {
  const server = await startBuiltServer({ folder });
  await fetch(`${server.url}/v1/stream/a`, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: 'x',
  });
  const live = await fetch(`${server.url}/v1/stream/a?live=sse&offset=-1`);
  expect(live.headers.get('transfer-encoding')).toBe('chunked');
  const reader = live.body?.getReader();
  await reader?.read();
  await server.kill();
  const reading = (async () => {
    while (!(await reader?.read())?.done);
  })();
  await expect(reading).rejects.toThrow();
});

test('a folder in use by another server is refused before anything is touched', async () => {
  const first = await startBuiltServer({ folder });
  try {
    expect(await tryBuiltServer({ folder })).toMatchObject({ exitCode: 2 });
    expect(existsSync(join(folder, 'sonde.db'))).toBe(true);
  } finally {
    await first.stop();
  }
});
