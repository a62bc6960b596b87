// What grows with what: each figure at 1, 10 and 100 times as many rows, up to a million, with the exponent between the
// first and the last (cost ~ n^e) and the longest stall that another request saw. `npm run bench -- growth`; BENCH_GROWTH_MAX
// changes the largest size.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { RECORD, seedRecords, seedStreams } from './growth/seeds.mjs';
import { openGrown } from './growth/server.mjs';
import { beginRun } from './streams/processes.mjs';
import { count, median, pause, short } from './streams/stats.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX = Number(process.env['BENCH_GROWTH_MAX'] ?? 1_000_000);
const SIZES = [MAX / 100, MAX / 10, MAX];
const LOOKS = 20;
const RETENTION_MS = 20_000;
const EXPIRY_MS = 120_000;

/** @param {string} label @param {readonly number[]} values @param {string} rest */
function line(label, values, rest = '') {
  const [first = 1, , last = 1] = values;
  const exponent = Math.log(Math.max(last, 0.01) / Math.max(first, 0.01)) / Math.log(100);
  console.log(
    `growth  ${label.padEnd(34)} ${values.map(short).join(' / ').padEnd(24)} e ${exponent.toFixed(2)}  ${rest}`,
  );
}

/** @param {boolean} met @param {string} text */
function bar(met, text) {
  console.log(`growth  ${met ? 'met   ' : 'MISSED'}  ${text}`);
}

/** A folder that a server has made, with one stream and nothing else. */
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

async function measureStart() {
  const empty = await openGrown(await newFolder());
  const grown = [];
  for (const size of SIZES) {
    const folder = await newFolder();
    seedStreams(folder, size);
    const server = await openGrown(folder);
    grown.push({ startMs: server.startMs, rssMb: server.rssMb });
    await server.stop();
  }
  await empty.stop();
  line(
    'start, ms',
    grown.map(({ startMs }) => startMs),
    `(empty ${short(empty.startMs)})`,
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

/** @type {Record<string, [method: string, path: string, body?: string]>} */
const ASKED = {
  'jobs, all': ['GET', 'api/jobs?limit=50'],
  'jobs, failed (none)': ['GET', 'api/jobs?status=failed&limit=50'],
  'jobs, of another kind (none)': ['GET', 'api/jobs?kind=audit&limit=50'],
  pairs: ['GET', 'api/pairs?limit=50'],
  enqueue: ['POST', 'api/jobs', JSON.stringify({ kind: 'hello', url: 'https://example.com/' })],
};

async function measureRecords() {
  /** @type {Record<string, number[]>} */
  const figures = Object.fromEntries(Object.keys(ASKED).map((name) => [name, []]));
  for (const size of SIZES) {
    const folder = await newFolder();
    seedRecords(folder, size);
    const server = await openGrown(folder, ['--job-concurrency', '0']);
    for (const [name, [method, path, body]] of Object.entries(ASKED)) {
      const times = [];
      for (let n = 0; n < LOOKS; n++) {
        const from = performance.now();
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(server.url + path, { method, headers, ...(body && { body }) });
        if (response.status >= 400)
          throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
        await response.arrayBuffer();
        times.push(performance.now() - from);
      }
      figures[name]?.push(median(times));
    }
    await server.stop();
  }
  for (const [name, values] of Object.entries(figures)) {
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
  const figures = [];
  for (const size of SIZES) figures.push(await measure(folder, size, RETENTION_MS));
  line(
    'retention of jobs, per second',
    figures.map(({ perSecond }) => perSecond),
  );
  line(
    'longest step, ms',
    figures.map(({ longestMs }) => longestMs),
  );
  const longest = Math.max(...figures.map(({ longestMs }) => longestMs));
  bar(longest <= 20, `no step holds the store longer than ${short(longest)} ms (at most 20)`);
}

/** Streams that are all past their end, removed while somebody appends. */
async function measureExpiry() {
  const rates = [];
  const stalls = [];
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
    await server.stop();
  }
  line('expiry of streams, per second', rates);
  line('longest append meanwhile, ms', stalls);
}

export async function run() {
  await measureStart();
  await measureRecords();
  await measureRetention();
  await measureExpiry();
}
