/** Rows past their retention on a real SQLite file, and the sweep that removes them; bundled by the benchmark. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { JOB_LIMITS } from '../../src/jobs/index.js';
import { PacedSweep } from '../../src/paced-sweep.js';
import { type OpenDatabase, openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { createRecordStores, type RecordStores } from '../../src/stores/sqlite/record-stores.js';

const SILENT = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };

export interface Retention {
  readonly perSecond: number;
  /** The longest wall-clock time of a step's statements. */
  readonly statementsMs: number;
  /** The longest processor time of a step, including its commit. */
  readonly cpuMs: number;
  /** The longest commit of a step: the disk's sync and, now and then, moving the log into the file. */
  readonly commitMs: number;
  /** The longest commit of one small row in the same run, alongside the sweep. */
  readonly bareMs: number;
}

interface Asked {
  readonly what: 'jobs' | 'audits' | 'comparisons';
  readonly rows: number;
  readonly msMax: number;
}

const BARE_EVERY = 10;

export async function measureRetention(folder: string, { what, rows, msMax }: Asked): Promise<Retention> {
  const path = join(folder, `retention-${what}-${rows}.db`);
  const database = openDatabase(path, { shared: true });
  const stores = createRecordStores(database, Date.now);
  database.begin();
  for (const sql of SEEDS[what](rows)) database.run(sql, []);
  database.run('CREATE TABLE bare (n INTEGER)', []);
  database.commit();
  database.checkpoint();
  // The first write after that restarts the log and truncates what the seeds have written.
  for (let n = 0; n < 2; n++) timed(database, { ...NONE }, () => PRUNES[what](stores));
  const longest = { ...NONE };
  let steps = 0;
  const step = async () => {
    const removed = timed(database, longest, () => PRUNES[what](stores));
    if (steps++ % BARE_EVERY === 0) bareCommit(database, longest);
    return removed;
  };
  const sweep = new PacedSweep({ name: what, step, everyMs: msMax, log: SILENT });
  const from = performance.now();
  sweep.startNow();
  do await new Promise((resolve) => setTimeout(resolve, 50));
  while (sweep.backlogMs > 0 && performance.now() - from < msMax);
  await sweep.stop();
  const seconds = (performance.now() - from) / 1000;
  const table = what === 'comparisons' ? 'comparisons' : 'audit_jobs';
  const left = Number(database.all(`SELECT count(*) AS n FROM ${table}`, [])[0]?.['n']);
  database.close();
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  return { perSecond: (rows - left) / seconds, ...longest };
}

const NONE = { statementsMs: 0, cpuMs: 0, commitMs: 0, bareMs: 0 };
type Longest = typeof NONE;

function timed(database: OpenDatabase, longest: Longest, prune: () => number): number {
  const used = threadCpuMs();
  const from = performance.now();
  database.begin();
  const removed = prune();
  const done = performance.now();
  database.commit('background');
  longest.cpuMs = Math.max(longest.cpuMs, threadCpuMs() - used);
  longest.statementsMs = Math.max(longest.statementsMs, done - from);
  longest.commitMs = Math.max(longest.commitMs, performance.now() - done);
  return removed;
}

/** Only this thread, because the process also compiles and collects garbage in others. */
function threadCpuMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

function bareCommit(database: OpenDatabase, longest: Longest): void {
  database.begin();
  database.run('INSERT INTO bare VALUES (1)', []);
  const from = performance.now();
  database.commit();
  longest.bareMs = Math.max(longest.bareMs, performance.now() - from);
}

const PRUNES = {
  jobs: ({ jobs }: RecordStores) => jobs.prune({ olderThanMs: 0, limit: JOB_LIMITS.pruneMax }),
  audits: ({ jobs }: RecordStores) => jobs.prune({ olderThanMs: 0, limit: JOB_LIMITS.pruneMax }),
  comparisons: ({ oldComparisons }: RecordStores) => oldComparisons.prune({ olderThanMs: 0, limit: 25 }),
};

const numbers = (count: number) =>
  `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})`;
const TENANT = "INSERT INTO tenants (id, slug, name, created_at) VALUES ('t', 't', 'T', 0)";
const EVENTS = [1, 2, 3].map(
  (seq) => `INSERT INTO audit_progress_events (event_id, job_id, seq, event_type, created_at)
    SELECT hex(randomblob(16)), job_id, ${seq}, 'metric', 0 FROM audit_jobs`,
);

/** Jobs with three events each, audits with an additional report of 2 KB, comparisons with two envelopes of 1 KB. */
const SEEDS = {
  jobs: (count: number) => [TENANT, jobs(count, 'hello', 'NULL'), ...EVENTS],
  audits: (count: number) => [
    TENANT,
    `${numbers(count)} INSERT INTO audits (
      id, tenant_id, url, canonical_url, options_json, recipe_version, status, created_at, finished_at
    ) SELECT printf('%08d', n), 't', 'u', 'u', '{}', 'v1', 'done', n, n FROM n`,
    jobs(count, 'audit', "printf('%08d', n)"),
    ...EVENTS,
    `${numbers(count)} INSERT INTO audit_parts (audit_id, part, piece, body)
      SELECT printf('%08d', n), 'report', 0, hex(zeroblob(1000)) FROM n`,
  ],
  comparisons: (count: number) => [
    `${numbers(count)} INSERT INTO comparisons (
      id, tenant_id, ts, left_url, right_url, status, result_json
    ) SELECT printf('%040d:%08d', n / 10, n), 't', n, 'l', 'r', 'completed', '{}' FROM n`,
    ...['left', 'right'].map(
      (side) => `INSERT INTO probes (id, comparison_id, ts, side, url, envelope_json)
        SELECT id || ':${side}', id, ts, '${side}', 'u', hex(zeroblob(500)) FROM comparisons`,
    ),
  ],
};

function jobs(count: number, kind: string, auditId: string): string {
  return `${numbers(count)} INSERT INTO audit_jobs (
      job_id, tenant_id, audit_id, kind, status, queued_at, run_at, started_at, finished_at, idempotency_key,
      payload_json
    ) SELECT printf('%08d', n), 't', ${auditId}, '${kind}', 'done', n, n, n, n, printf('%064d', n), '{}' FROM n`;
}
