// A suite of 200 paths on loopback against a bare guarded client: requests a second, every sample and exchange
// counted, at the same concurrency, one after the other in the same run.
import { fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const PATHS = 200;
const CONCURRENCY = 8;
const ROUNDS = 3;

/** @returns {Promise<{ probe: typeof import('../src/runtimes/node/probe.js'), suite: typeof import('../src/cli/compare/run-comparison.js') }>} */
async function load() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const out = mkdtempSync(join(root, 'node_modules', '.sonde-bench-'));
  try {
    await build({
      absWorkingDir: root,
      entryPoints: { probe: 'src/runtimes/node/probe.ts', suite: 'src/cli/compare/run-comparison.ts' },
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
    const door = probe.openProbeDoor({ allowPrivate: [left, right] });
    const side = (/** @type {string} */ origin, /** @type {number} */ n) => ({
      url: `${origin}/page/${n}`,
      provider: door.provider,
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
      compare: { sha256: (/** @type {string} */ text) => hash('sha256', text, 'hex') },
    };
    /** @type {{ suite: number[], bare: number[] }} */
    const rates = { suite: [], bare: [] };
    /** Microseconds of our own processor time a request: the same comparison on a machine that others use. @type {{ suite: number[], bare: number[] }} */
    const cpu = { suite: [], bare: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
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
      const bareBefore = process.cpuUsage();
      const bare = await bareRate(door.door, [left, right], requests);
      const bareCpu = cpuSince(bareBefore);
      // The first round only warms up.
      if (round === 0) continue;
      rates.suite.push(requests / seconds);
      rates.bare.push(bare);
      cpu.suite.push(suiteCpu / requests);
      cpu.bare.push(bareCpu / requests);
    }
    await door.close();
    const median = (/** @type {number[]} */ list) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;
    const [ours, peer] = [median(rates.suite), median(rates.bare)];
    console.log(
      `compare: a suite of ${PATHS} paths, 3 samples, concurrency ${CONCURRENCY}, median of ${ROUNDS}`,
    );
    console.log(`  requests a second:             ${Math.round(ours)}`);
    console.log(`  a bare guarded client:         ${Math.round(peer)}`);
    console.log(`  share: ${(ours / peer).toFixed(2)} (bar 0.5)`);
    const [ownCpu, peerCpu] = [median(cpu.suite), median(cpu.bare)];
    console.log(
      `  processor time a request: ${Math.round(ownCpu)} µs, bare ${Math.round(peerCpu)} µs, share ${(peerCpu / ownCpu).toFixed(2)}`,
    );
  } finally {
    server.disconnect();
  }
}

/** @param {NodeJS.CpuUsage} before */
function cpuSince(before) {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * @param {import('../src/runtimes/node/net.js').Door} door
 * @param {string[]} origins
 * @param {number} requests
 */
async function bareRate(door, origins, requests) {
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < requests; at = next++) {
      const result = await door.fetch({ url: `${origins[at % origins.length]}/page/${at % PATHS}` });
      if (!result.ok) throw result.error;
      while (await result.response.body.read());
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return requests / ((performance.now() - startedAt) / 1000);
}
