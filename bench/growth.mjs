// How costs grow: each figure at 1, 10 and 100 times as many rows, up to a million, with the exponent between the first
// and the last (cost ~ n^e) and the longest stall that another request saw. `npm run bench -- growth` runs all parts,
// `growth:start,expiry` some; BENCH_GROWTH_MAX changes the largest size.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { measureLargeAppends } from './growth/appends.mjs';
import { measureCluster } from './growth/cluster.mjs';
import { measureConnections } from './growth/connections.mjs';
import { measureFiles, measureVerify } from './growth/files.mjs';
import { bar, line } from './growth/print.mjs';
import {
  askForRecords,
  CLIENTS,
  createsPerSecond,
  jobsPerSecond,
  RECORD_REQUESTS,
} from './growth/records.mjs';
import { RECORD, seedRecords, seedStreams } from './growth/seeds.mjs';
import { openGrown } from './growth/server.mjs';
import { measureSmallRecords } from './growth/small-records.mjs';
import { measureCreates, measureFollowers } from './growth/subscriptions.mjs';
import { beginRun } from './streams/processes.mjs';
import { count, median, pause, short } from './streams/stats.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX = Number(process.env['BENCH_GROWTH_MAX'] ?? 1_000_000);
const SIZES = [MAX / 100, MAX / 10, MAX];
const RETENTION_MS = 20_000;
const EXPIRY_MS = 60_000;
const STARTS = 3;

/** Creates a folder with a real server, containing one stream and nothing else. */
async function newFolder() {
  const folder = mkdtempSync(join(beginRun(), 'growth-'));
  const server = await openGrown(folder);
  await fetch(`${server.url}v1/stream/template`, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: RECORD,
  });
  await server.stop();
  return folder;
}

/** @param {string} folder */
const drop = (folder) => rmSync(folder, { recursive: true, force: true });

/** Returns the median of a few starts. @param {number} size */
async function startWith(size) {
  const folder = await newFolder();
  if (size > 0) seedStreams(folder, size);
  const seen = [];
  for (let n = 0; n < STARTS; n++) {
    const server = await openGrown(folder);
    seen.push({ startMs: server.startMs, rssMb: server.rssMb, cpuMs: server.cpuMs() });
    await server.stop();
  }
  drop(folder);
  return {
    startMs: median(seen.map(({ startMs }) => startMs)),
    rssMb: median(seen.map(({ rssMb }) => rssMb)),
    cpuMs: median(seen.map(({ cpuMs }) => cpuMs)),
  };
}

async function measureStart() {
  const empty = await startWith(0);
  const grown = [];
  for (const size of SIZES) grown.push(await startWith(size));
  line(
    'start, ms',
    grown.map(({ startMs }) => startMs),
    `(empty ${short(empty.startMs)})`,
  );
  line(
    'processor time of a start, ms',
    grown.map(({ cpuMs }) => cpuMs),
    `(empty ${short(empty.cpuMs)})`,
  );
  line(
    'memory after the start, MB',
    grown.map(({ rssMb }) => rssMb),
    `(empty ${short(empty.rssMb)})`,
  );
  const last = grown.at(-1);
  const moreMs = (last?.startMs ?? 0) - empty.startMs;
  const moreMb = (last?.rssMb ?? 0) - empty.rssMb;
  bar(
    moreMs <= 1_000,
    `a start with ${count(MAX)} open streams takes ${short(moreMs)} ms more (at most 1,000)`,
  );
  bar(moreMb <= 50, `and ${short(moreMb)} MB more (at most 50)`);
}

async function measureRecords() {
  const figures = [];
  for (const size of SIZES) {
    const folder = await newFolder();
    seedRecords(folder, size);
    const server = await openGrown(folder, ['--job-concurrency', '0']);
    figures.push(await askForRecords(server.url));
    await server.stop();
    drop(folder);
  }
  line(
    'longest of these requests, ms',
    figures.map(({ longest }) => Math.max(...longest)),
  );
  for (const [n, name] of Object.keys(RECORD_REQUESTS).entries()) {
    const values = figures.map(({ medians }) => medians[n] ?? 0);
    line(`${name}, ms`, values);
    bar((values[2] ?? 0) <= Math.max(3 * (values[0] ?? 0), 10), `${name} is flat to ${count(MAX)} jobs`);
  }
}

async function measureRetention() {
  const built = join(ROOT, '.cache', 'bench', 'retention.mjs');
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['bench/growth/retention.ts'],
    outfile: built,
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20.19', packages: 'external' },
    logLevel: 'warning',
  });
  const { measureRetention: measure } = await import(pathToFileURL(built).href);
  const folder = mkdtempSync(join(beginRun(), 'growth-'));
  // Every audit and every comparison is created with a job.
  const server = await openGrown(folder, ['--job-concurrency', '0']);
  const created = await jobsPerSecond(server.url);
  await server.stop();
  for (const what of ['jobs', 'audits', 'comparisons']) {
    const figures = [];
    for (const size of SIZES) figures.push(await measure(folder, { what, rows: size, msMax: RETENTION_MS }));
    line(
      `retention of ${what}, per second`,
      figures.map(({ perSecond }) => perSecond),
    );
    line(
      'longest statements of a step, ms',
      figures.map(({ statementsMs }) => statementsMs),
    );
    line(
      'longest step with its commit, CPU ms',
      figures.map(({ cpuMs }) => cpuMs),
    );
    line(
      'longest commit of a step, ms',
      figures.map(({ commitMs }) => commitMs),
      `(of one row: ${figures.map(({ bareMs }) => short(bareMs)).join(' / ')})`,
    );
    const cpu = Math.max(...figures.map(({ cpuMs }) => cpuMs));
    const byClock = Math.max(...figures.map(({ statementsMs, commitMs }) => statementsMs + commitMs));
    const bare = Math.max(...figures.map(({ bareMs }) => bareMs));
    bar(
      cpu <= 20,
      `a step of ${what} holds the store for ${short(cpu)} ms of processor time (at most 20), ` +
        `by the clock for ${short(byClock)} (the commit of one row: ${short(bare)})`,
    );
    const slowest = Math.min(...figures.map(({ perSecond }) => perSecond));
    bar(
      slowest >= created,
      `${short(slowest)} ${what} are removed per second, ${short(created)} are created at most`,
    );
  }
}

/** Removes streams that have all expired while another client appends. */
async function measureExpiry() {
  const rates = [];
  const stalls = [];
  let created = 0;
  for (const size of SIZES) {
    const folder = await newFolder();
    seedStreams(folder, size, Date.now() - 1_000);
    const server = await openGrown(folder);
    let stall = 0;
    const from = performance.now();
    let removed = 0;
    while (removed < size && performance.now() - from < EXPIRY_MS) {
      const sent = performance.now();
      const headers = { 'content-type': 'text/plain' };
      await fetch(`${server.url}v1/stream/template`, { method: 'POST', headers, body: RECORD });
      stall = Math.max(stall, performance.now() - sent);
      removed = await server.metric('sonde_sweep_removed_total{sweep="expired_streams"}');
      await pause(20);
    }
    rates.push(removed / ((performance.now() - from) / 1000));
    stalls.push(stall);
    created = await createsPerSecond((client, n) =>
      fetch(`${server.url}v1/stream/made/${client}/${n}`, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain' },
      }),
    );
    await server.stop();
    drop(folder);
  }
  line('expiry of streams, per second', rates, `(creates of ${CLIENTS} clients: ${short(created)})`);
  line('longest append meanwhile, ms', stalls);
  const slowest = Math.min(...rates);
  bar(slowest >= created, `${short(slowest)} expire per second, ${short(created)} are created at most`);
}

/** @type {Record<string, () => Promise<void>>} */
export const PARTS = {
  start: measureStart,
  records: measureRecords,
  retention: measureRetention,
  expiry: measureExpiry,
  creates: measureCreates,
  followers: measureFollowers,
  appends: measureLargeAppends,
  connections: measureConnections,
  files: measureFiles,
  verify: measureVerify,
  'small-records': () =>
    measureSmallRecords(
      newFolder,
      SIZES.map((size) => size / 2),
    ),
  cluster: () => measureCluster(SIZES),
};

/** @param {readonly string[]} names */
export async function run(names = Object.keys(PARTS)) {
  for (const name of names) await PARTS[name]?.();
}
