// The job queue next to graphile-worker and pg-boss: one PostgreSQL server, one process per system, interleaved rounds,
// medians of five. `npm run bench -- jobs` runs all; BENCH_JOBS and BENCH_ROUNDS change how much.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createJiti } from 'jiti';
import { count, median, percentile, rotated, short } from './streams/stats.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILT = join(ROOT, '.cache', 'bench', 'queue.mjs');
const JOBS = Number(process.env['BENCH_JOBS'] ?? 20_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const PICKUPS = 200;
const DRAINING = ['sonde', 'graphile 11', 'graphile 500', 'pg-boss'];
const PICKING = ['sonde', 'graphile'];

/** @typedef {import('../test/support/postgres-cluster.ts').PostgresCluster} Cluster */

async function buildQueue() {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['bench/jobs/queue.ts'],
    outfile: BUILT,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
  });
}

/** @param {Cluster} cluster @param {string} system @param {string} scenario @param {number} jobs */
async function measure(cluster, system, scenario, jobs) {
  const url = await cluster.emptyDatabase();
  const child = fileURLToPath(new URL('./jobs/child.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [child, system, scenario, url, String(jobs)],
    {
      env: { ...process.env, BENCH_QUEUE: BUILT },
      timeout: 300_000,
    },
  );
  return JSON.parse(stdout);
}

/** @param {string} label @param {Record<string, number>} figures @param {string} unit */
function print(label, figures, unit) {
  const parts = Object.entries(figures).map(
    ([name, value]) => `${name} ${unit === 'ms' ? short(value) : count(value)}`,
  );
  console.log(`jobs  ${label.padEnd(24)} ${parts.join('  |  ')} ${unit}`);
}

/** @param {boolean} met @param {string} text */
function bar(met, text) {
  console.log(`jobs  ${met ? 'met   ' : 'MISSED'}  ${text}`);
}

/** @param {Cluster} cluster @returns {Promise<{ drain: Record<string, number>, enqueue: Record<string, number> }>} */
async function draining(cluster) {
  /** @type {Record<string, { drain: number[], enqueue: number[] }>} */
  const all = Object.fromEntries(DRAINING.map((name) => [name, { drain: [], enqueue: [] }]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of rotated(DRAINING, round)) {
      const { drain, enqueue } = await measure(cluster, name, 'drain', JOBS);
      all[name]?.drain.push(drain);
      all[name]?.enqueue.push(enqueue);
    }
  }
  const medians = (/** @type {'drain' | 'enqueue'} */ what) =>
    Object.fromEntries(DRAINING.map((name) => [name, median(all[name]?.[what] ?? [])]));
  return { drain: medians('drain'), enqueue: medians('enqueue') };
}

/** @param {Cluster} cluster */
async function picking(cluster) {
  /** @type {Record<string, number[]>} */
  const p50 = { sonde: [], graphile: [] };
  /** @type {Record<string, number[]>} */
  const p99 = { sonde: [], graphile: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of rotated(PICKING, round)) {
      const times = await measure(cluster, name, 'pickup', PICKUPS);
      p50[name]?.push(percentile(times.slice(20), 0.5));
      p99[name]?.push(percentile(times.slice(20), 0.99));
    }
  }
  const medians = (/** @type {Record<string, number[]>} */ all) =>
    Object.fromEntries(PICKING.map((name) => [name, median(all[name] ?? [])]));
  return { p50: medians(p50), p99: medians(p99) };
}

export async function run() {
  await buildQueue();
  const jiti = createJiti(import.meta.url, { fsCache: false });
  /** @type {typeof import('../test/support/postgres-cluster.ts')} */
  const { startPostgres } = await jiti.import('../test/support/postgres-cluster.ts');
  const cluster = await startPostgres(['synchronous_commit=on', 'fsync=on']);
  try {
    const { drain, enqueue } = await draining(cluster);
    print(`drain ${count(JOBS)}`, drain, 'jobs/s');
    print('bulk enqueue', enqueue, 'jobs/s');
    const { p50, p99 } = await picking(cluster);
    print('pickup p50', p50, 'ms');
    print('pickup p99', p99, 'ms');
    const of = (/** @type {Record<string, number>} */ figures, /** @type {string} */ name) =>
      figures[name] ?? 0;
    const ours = of(drain, 'sonde');
    bar(ours >= of(drain, 'graphile 11'), 'drain ≥ graphile with a local queue of 11');
    bar(ours >= of(drain, 'pg-boss'), 'drain ≥ pg-boss fetch(100)');
    bar(ours >= 0.5 * of(drain, 'graphile 500'), 'drain ≥ half of graphile with a local queue of 500');
    const fastest = Math.max(of(enqueue, 'graphile 11'), of(enqueue, 'graphile 500'), of(enqueue, 'pg-boss'));
    bar(of(enqueue, 'sonde') >= fastest, 'bulk enqueue ≥ the faster peer');
    bar(of(p50, 'sonde') <= 1.25 * of(p50, 'graphile'), 'pickup p50 ≤ 1.25 × graphile');
  } finally {
    await cluster.stop();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await run();
