// Full diffs per second on one core: the golden pairs of profile `full` with three samples per side, thirty or more
// headers and 20 KB of body facts, compared, fingerprinted and serialised. The peer in the same run is plain
// JSON.stringify of the same six envelopes, so that the figure can be read on any machine.
import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('../test/golden/compare/', import.meta.url));
const SECONDS = 2;
const ROUNDS = 5;

/** @returns {Promise<typeof import('../src/compare/index.js')>} the core as it ships: bundled, for Node */
async function loadCompare() {
  const out = mkdtempSync(join(tmpdir(), 'sonde-bench-'));
  try {
    const outfile = join(out, 'compare.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('../src/compare/index.ts', import.meta.url))],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** @typedef {import('../src/probe/index.js').SignalEnvelope} Envelope */
/** @typedef {{ left: Envelope[], right: Envelope[] }} Pair */

/** @returns {{ name: string, pair: Pair }[]} */
function fullPairs() {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.endsWith('.diff.json'));
  return names
    .map((name) => ({
      name,
      pair: /** @type {Pair} */ (JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    }))
    .filter(({ pair }) => pair.left.length === 3 && [...pair.left, ...pair.right].every(isFull));
}

/** @param {Envelope} envelope */
function isFull({ result, body }) {
  if (!('response' in result)) return false;
  const { core, accessControl = {}, extended = {} } = result.response.headers;
  const headers = [core, accessControl, extended].reduce(
    (sum, family) => sum + Object.keys(family).length,
    0,
  );
  return headers >= 30 && JSON.stringify(body ?? {}).length >= 20_000;
}

/**
 * Returns units per second of processor time, which is what one core delivers; elapsed time on a shared machine
 * measures the neighbours. @param {() => void} work one unit @returns {number}
 */
function rate(work) {
  const before = process.cpuUsage();
  let units = 0;
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end; units += 20) {
    for (let count = 0; count < 20; count++) work();
  }
  const { user, system } = process.cpuUsage(before);
  return units / ((user + system) / 1e6);
}

export async function run() {
  const { computeDiff, serializeDiff } = await loadCompare();
  const pairs = fullPairs();
  // The same function that every caller on Node passes.
  const sha256 = (/** @type {string} */ text) => hash('sha256', text, 'hex');
  let next = 0;
  const pick = () => /** @type {Pair} */ (pairs[next++ % pairs.length]?.pair);
  let bytes = 0;
  const diff = () => {
    const { left, right } = pick();
    bytes += serializeDiff(computeDiff(left, right, { sha256 })).length;
  };
  const stringify = () => {
    const { left, right } = pick();
    bytes += JSON.stringify([left, right]).length;
  };
  // Seventy rules take a while to be compiled.
  for (let round = 0; round < ROUNDS; round++) rate(diff);
  /** @type {number[]} */
  const diffs = [];
  /** @type {number[]} */
  const peers = [];
  for (let round = 0; round < ROUNDS; round++) {
    diffs.push(rate(diff));
    peers.push(rate(stringify));
  }
  const median = (/** @type {number[]} */ list) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;
  console.log(
    `compare: ${pairs.length} full pairs (${pairs.map(({ name }) => name.replace('.json', '')).join(', ')})`,
  );
  console.log(
    `  full diffs per second of one core, median of ${ROUNDS}: ${Math.round(median(diffs))} (bar 2000)`,
  );
  console.log(`  JSON.stringify of the same envelopes, same run:       ${Math.round(median(peers))}`);
  if (bytes === 0) throw new Error('nothing was compared');
  await (await import('./compare-suite.mjs')).run();
}
