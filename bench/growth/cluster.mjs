// The same lists and the same retention with the rows in PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createJiti } from 'jiti';
import pg from 'pg';
import { beginRun } from '../streams/processes.mjs';
import { count, pause, short } from '../streams/stats.mjs';
import { bar, line } from './print.mjs';
import { askForRecords, jobsPerSecond, RECORD_REQUESTS } from './records.mjs';
import { openGrown } from './server.mjs';

/** @typedef {import('../../test/support/postgres-cluster.ts').PostgresCluster} Cluster */

const SWEEPS = ['jobs', 'comparisons'];
const EVENTS_PER_JOB = 3;
const ROWS_PER_JOB = 1 + EVENTS_PER_JOB;
const RETENTION_MS = 20_000;
const TRUST_MS_MAX = 120_000;
const DAY_MS = 86_400_000;
const HOUR_LATER = new URL('../../test/support/hour-later.mjs', import.meta.url).href;

const uuid = (/** @type {string} */ kind) => `('${kind}' || lpad(n::text, 12, '0'))::uuid`;

/**
 * Ended jobs with three events each, a twentieth as many queued ones far ahead, and a tenth as many comparisons, ten
 * per pair; they ended this many milliseconds ago.
 * @param {string} url @param {number} rows @param {number} endedMs
 */
async function seed(url, rows, endedMs) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ended = Date.now() - endedMs;
  const time = `to_timestamp((${ended} - n % 1000) / 1000.0)`;
  const tenant = "(SELECT id FROM tenants WHERE slug = 'default')";
  const job = (/** @type {string} */ status, /** @type {string} */ runAt, /** @type {string} */ times) =>
    `INSERT INTO audit_jobs (
      job_id, tenant_id, kind, status, queued_at, run_at, started_at, finished_at, idempotency_key, payload_json
    ) SELECT ${uuid(`00000000-0000-7000-${status === 'done' ? '8' : '9'}000-`)}, ${tenant}, 'hello', '${status}',
      ${time}, ${runAt}, ${times}, lpad(n::text, 64, '0'), '{}' FROM generate_series(1, $1::int) AS n`;
  await client.query('SET synchronous_commit = off');
  await client.query(job('done', time, `${time}, ${time}`), [rows]);
  await client.query(job('queued', "now() + interval '1 hour'", 'NULL, NULL'), [rows / 20]);
  await client.query(
    `INSERT INTO audit_progress_events (job_id, seq, event_type, created_at)
      SELECT job_id, seq, 'metric', finished_at FROM audit_jobs, generate_series(1, ${EVENTS_PER_JOB}) AS seq WHERE status = 'done'`,
  );
  await client.query(
    `INSERT INTO comparisons (
      id, tenant_id, ts, left_url, right_url, status, result_json
    ) SELECT lpad((n / 10)::text, 40, '0') || ':' || lpad(n::text, 8, '0'), ${tenant},
      ${ended} - n % 1000, 'https://a/', 'https://b/', 'completed', '{}' FROM generate_series(1, $1::int) AS n`,
    [rows / 10],
  );
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  await client.end();
}

/**
 * Measures what the sweeps remove per second, and the longest request of another client meanwhile.
 * @param {Awaited<ReturnType<typeof openGrown>>} server @param {number} rows
 */
async function sweepUnderLoad(server, rows) {
  const removedRows = async () => {
    let sum = 0;
    for (const name of SWEEPS) sum += await server.metric(`sonde_sweep_removed_total{sweep="${name}"}`);
    return sum;
  };
  // Nothing is removed until the clocks have agreed for an hour.
  for (const began = performance.now(); (await removedRows()) === 0; await pause(20)) {
    if (performance.now() - began > TRUST_MS_MAX) throw new Error('nothing was removed');
  }
  const from = performance.now();
  let longest = 0;
  let removed = 0;
  while (removed < rows && performance.now() - from < RETENTION_MS) {
    longest = Math.max(longest, ...(await askForRecords(server.url, 1)).longest);
    removed = await removedRows();
    await pause(20);
  }
  return { perSecond: removed / ((performance.now() - from) / 1000), longest };
}

/** @param {Cluster} cluster @param {number} rows */
async function measureSize(cluster, rows) {
  const folder = mkdtempSync(join(beginRun(), 'growth-'));
  /** @param {number} endedMs @param {readonly string[]} nodeArgs */
  const openSeeded = async (endedMs, nodeArgs = []) => {
    const url = await cluster.database();
    const settings = ['--database-url', url, '--job-concurrency', '0'];
    const first = await openGrown(folder, settings);
    await first.stop();
    await seed(url, rows, endedMs);
    return openGrown(folder, settings, nodeArgs);
  };
  const kept = await openSeeded(DAY_MS);
  const asked = await askForRecords(kept.url);
  const created = await jobsPerSecond(kept.url);
  await kept.stop();
  const old = await openSeeded(1_000 * DAY_MS, ['--import', HOUR_LATER]);
  const swept = await sweepUnderLoad(old, rows);
  await old.stop();
  rmSync(folder, { recursive: true, force: true });
  return { ...asked, created, swept };
}

/** @param {readonly number[]} sizes */
export async function measureCluster(sizes) {
  const jiti = createJiti(import.meta.url, { fsCache: false });
  /** @type {typeof import('../../test/support/postgres-cluster.ts')} */
  const { startPostgres } = await jiti.import('../../test/support/postgres-cluster.ts');
  const cluster = await startPostgres(['synchronous_commit=on', 'fsync=on']);
  try {
    const figures = [];
    for (const size of sizes) figures.push(await measureSize(cluster, size));
    line(
      'PostgreSQL: longest of these requests, ms',
      figures.map(({ longest }) => Math.max(...longest)),
    );
    for (const [n, name] of Object.keys(RECORD_REQUESTS).entries()) {
      const values = figures.map(({ medians }) => medians[n] ?? 0);
      line(`PostgreSQL: ${name}, ms`, values);
      bar(
        (values.at(-1) ?? 0) <= Math.max(3 * (values[0] ?? 0), 10),
        `${name} is flat to ${count(sizes.at(-1) ?? 0)} jobs in PostgreSQL`,
      );
    }
    line(
      'PostgreSQL: retention, rows per second',
      figures.map(({ swept }) => swept.perSecond),
    );
    line(
      'PostgreSQL: longest request meanwhile, ms',
      figures.map(({ swept }) => swept.longest),
    );
    const slowest = Math.min(...figures.map(({ swept }) => swept.perSecond));
    const created = Math.max(...figures.map((figure) => figure.created));
    bar(
      slowest / ROWS_PER_JOB >= created,
      `${short(slowest / ROWS_PER_JOB)} jobs with their events are removed per second in PostgreSQL, ` +
        `${short(created)} are created at most`,
    );
  } finally {
    await cluster.stop();
  }
}
