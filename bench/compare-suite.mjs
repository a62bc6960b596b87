// A suite of 200 paths on loopback, compared with a bare guarded client: requests per second, with every sample and
// exchange counted, at the same concurrency, one after the other in the same run. The client is measured twice: sending
// what the suite sends, method by method, and sending plain GETs, which avoids the connections that a HEAD closes.
import { fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const PATHS = 200;
const CONCURRENCY = 8;
/** This much code takes seconds to be compiled for speed; the bare client needs one. */
const WARM_UP = 4;
const ROUNDS = 5;
/**
 * The requests to one side of a path: three samples, two with an Origin, a conditional one and robots.txt; and the
 * rest.
 */
const SENT = [...Array(7).fill('GET'), 'OPTIONS', 'OPTIONS', 'HEAD'];

/** @returns {Promise<{ probe: typeof import('../src/runtimes/node/probe.js'), suite: typeof import('../src/workflows/compare-pairs.js') }>} */
async function load() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const out = mkdtempSync(join(root, 'node_modules', '.sonde-bench-'));
  try {
    await build({
      absWorkingDir: root,
      entryPoints: { probe: 'src/runtimes/node/probe.ts', suite: 'src/workflows/compare-pairs.ts' },
      outdir: out,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      packages: 'external',
      logLevel: 'error',
    });
    const at = (/** @type {string} */ name) => import(pathToFileURL(join(out, `${name}.mjs`)).href);
    return { probe: await at('probe'), suite: await at('suite') };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

export async function run() {
  const { probe, suite } = await load();
  const server = fork(fileURLToPath(new URL('./suite-server.mjs', import.meta.url)));
  try {
    const [ports] = /** @type {[number[]]} */ (await once(server, 'message'));
    const [left = '', right = ''] = ports.map((port) => `http://127.0.0.1:${port}`);
    const outbound = probe.openProbeClient({ allowPrivate: [left, right] });
    const side = (/** @type {string} */ origin, /** @type {number} */ n) => ({
      url: `${origin}/page/${n}`,
      provider: outbound.provider,
      headers: [],
    });
    const plans = Array.from({ length: PATHS }, (_, n) => ({
      name: `/page/${n}`,
      left: side(left, n),
      right: side(right, n),
    }));
    const options = {
      samples: 3,
      profile: /** @type {const} */ ('full'),
      concurrency: CONCURRENCY,
      perHost: CONCURRENCY,
      random: Math.random,
      compare: { sha256: (/** @type {string} */ text) => hash('sha256', text, 'hex') },
    };
    /** @type {Figures} */
    const rates = { suite: [], bare: [], gets: [] };
    /**
     * Microseconds of our own processor time per request: comparable even on a machine that others use. @type {Figures}
     */
    const cpu = { suite: [], bare: [], gets: [] };
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const startedAt = performance.now();
      const cpuBefore = process.cpuUsage();
      const pairs = await suite.runComparison(plans, options);
      const seconds = (performance.now() - startedAt) / 1000;
      const exchanges = pairs.reduce(
        (sum, pair) => sum + (pair.left.exchanges?.requests ?? 0) + (pair.right.exchanges?.requests ?? 0),
        0,
      );
      const requests = PATHS * 2 * options.samples + exchanges;
      const suiteCpu = cpuSince(cpuBefore);
      const bare = await bareRun(outbound.outbound, { origins: [left, right], requests, methods: SENT });
      const gets = await bareRun(outbound.outbound, { origins: [left, right], requests, methods: ['GET'] });
      if (round < WARM_UP) continue;
      rates.suite.push(requests / seconds);
      rates.bare.push(bare.rate);
      rates.gets.push(gets.rate);
      cpu.suite.push(suiteCpu / requests);
      cpu.bare.push(bare.cpu);
      cpu.gets.push(gets.cpu);
    }
    await outbound.close();
    const median = (/** @type {number[]} */ list) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;
    const rate = { suite: median(rates.suite), bare: median(rates.bare), gets: median(rates.gets) };
    const used = { suite: median(cpu.suite), bare: median(cpu.bare), gets: median(cpu.gets) };
    console.log(
      `compare: a suite of ${PATHS} paths, 3 samples, concurrency ${CONCURRENCY}, median of ${ROUNDS}`,
    );
    const row = (/** @type {string} */ name, /** @type {'suite' | 'bare' | 'gets'} */ of) =>
      console.log(
        `  ${name.padEnd(42)} ${Math.round(rate[of])} requests a second, ${Math.round(used[of])} µs of processor time each`,
      );
    row('the suite:', 'suite');
    row('a bare guarded client, the same requests:', 'bare');
    row('a bare guarded client, plain GETs:', 'gets');
    // Compared round by round, because the machine's speed may change between rounds.
    const share = (/** @type {'bare' | 'gets'} */ of) => {
      const inTime = median(rates.suite.map((suiteRate, at) => suiteRate / (rates[of][at] ?? 0)));
      const inCpu = median(cpu.suite.map((suiteCpu, at) => (cpu[of][at] ?? 0) / suiteCpu));
      return { inTime: inTime.toFixed(2), inCpu: inCpu.toFixed(2) };
    };
    const [bare, gets] = [share('bare'), share('gets')];
    console.log(`  share of the same requests: ${bare.inTime} (bar 0.5), by processor time ${bare.inCpu}`);
    console.log(`  share of plain GETs: ${gets.inTime}, by processor time ${gets.inCpu}`);
  } finally {
    server.disconnect();
  }
}

/** @typedef {{ suite: number[], bare: number[], gets: number[] }} Figures */

/** @param {NodeJS.CpuUsage} before */
function cpuSince(before) {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * @param {import('../src/runtimes/node/net.js').OutboundClient} outbound
 * @param {{ origins: string[], requests: number, methods: string[] }} work
 * @returns {Promise<{ rate: number, cpu: number }>} requests per second, and microseconds of processor time for each
 */
async function bareRun(outbound, { origins, requests, methods }) {
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < requests; at = next++) {
      const url = `${origins[at % origins.length]}/page/${at % PATHS}`;
      const method = methods[Math.floor(at / origins.length) % methods.length] ?? 'GET';
      const result = await outbound.fetch({ url, method });
      if (!result.ok) throw result.error;
      while (await result.response.body.read());
    }
  };
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  const seconds = (performance.now() - startedAt) / 1000;
  return { rate: requests / seconds, cpu: cpuSince(cpuBefore) / requests };
}
