/** Ended jobs past their retention on a real SQLite file, and the sweep that removes them; bundled by the benchmark. */
import { join } from 'node:path';
import process from 'node:process';
import { JOB_LIMITS } from '../../src/jobs/index.js';
import { PacedSweep } from '../../src/paced-sweep.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { createRecordStores } from '../../src/stores/sqlite/record-stores.js';

const SILENT = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };

export interface Retention {
  readonly perSecond: number;
  /** The longest that the statements of a step took, in processor time: other processes of the machine are left out. */
  readonly longestMs: number;
}

/** Removes as many jobs as there are, with three events each; at most for `msMax`. */
export async function measureRetention(folder: string, jobs: number, msMax: number): Promise<Retention> {
  const database = openDatabase(join(folder, `retention-${jobs}.db`));
  const stores = createRecordStores(database, Date.now);
  database.begin();
  for (const sql of seed(jobs)) database.run(sql, []);
  database.commit();
  let longestMs = 0;
  const step = async () => {
    database.begin();
    const from = process.cpuUsage();
    const rows = stores.jobs.prune({ olderThanMs: 0, limit: JOB_LIMITS.pruneMax });
    const { user, system } = process.cpuUsage(from);
    database.commit();
    longestMs = Math.max(longestMs, (user + system) / 1000);
    return rows;
  };
  const sweep = new PacedSweep({ name: 'jobs', step, everyMs: msMax, log: SILENT });
  const from = performance.now();
  sweep.startNow();
  const left = () => Number(database.all('SELECT count(*) AS n FROM audit_jobs', [])[0]?.['n']);
  do await new Promise((resolve) => setTimeout(resolve, 50));
  while (sweep.backlogMs > 0 && performance.now() - from < msMax);
  await sweep.stop();
  const seconds = (performance.now() - from) / 1000;
  const removed = jobs - left();
  database.close();
  return { perSecond: removed / seconds, longestMs };
}

function seed(jobs: number): string[] {
  const numbers = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${jobs})`;
  return [
    "INSERT INTO tenants (id, slug, name, created_at) VALUES ('t', 't', 'T', 0)",
    `${numbers} INSERT INTO audit_jobs (
      job_id, tenant_id, kind, status, queued_at, run_at, started_at, finished_at, idempotency_key, payload_json
    ) SELECT printf('%08d', n), 't', 'hello', 'done', n, n, n, n, printf('%064d', n), '{}' FROM n`,
    ...[1, 2, 3].map(
      (seq) => `INSERT INTO audit_progress_events (event_id, job_id, seq, event_type, created_at)
        SELECT hex(randomblob(16)), job_id, ${seq}, 'metric', 0 FROM audit_jobs`,
    ),
  ];
}
