// Measures a whole audit: the real program, from its start to its report, over a site of 1,000 pages on loopback.
// Prints pages per second, memory and event loop delay of each run, and their medians next to the limits.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const PAGES = 1000;
const file = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** @typedef {{ p99Ms: number, maxMs: number, rssMb: number, cpuSeconds: number }} Meter */

/** @param {number} port */
async function auditOnce(port) {
  const origin = `http://127.0.0.1:${port}`;
  const args = ['--import', file('./audit/meter.mjs'), file('../dist/sonde.js'), 'audit', origin, '--json'];
  const options = [
    '--allow-private',
    origin,
    '--pages',
    String(PAGES),
    '--depth',
    '100',
    '--delay',
    '0',
    '--concurrency',
    '16',
    '--fail-on',
    'never',
  ];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...args, ...options], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  /** @type {Meter | undefined} */
  let meter;
  child.on('message', (message) => {
    meter = /** @type {Meter} */ (message);
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ piece) => {
    text += piece;
  });
  const [code] = await once(child, 'close');
  const seconds = (performance.now() - startedAt) / 1000;
  if (code !== 0 || !meter) throw new Error(`the audit ended with ${code}`);
  const { counts, score } = JSON.parse(text);
  return { ...meter, seconds, pages: counts.pages, score, perSecond: counts.pages / seconds };
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export async function run() {
  const server = fork(file('./audit/site-server.mjs'));
  try {
    const [port] = await once(server, 'message');
    /** @type {Awaited<ReturnType<typeof auditOnce>>[]} */
    const runs = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const one = await auditOnce(port);
      runs.push(one);
      console.log(
        `audit  ${one.pages} pages in ${one.seconds.toFixed(2)} s: ${one.perSecond.toFixed(0)} pages/s, ${one.rssMb.toFixed(0)} MB, loop p99 ${one.p99Ms.toFixed(1)} ms (max ${one.maxMs.toFixed(0)}), cpu ${one.cpuSeconds.toFixed(2)} s, score ${one.score}`,
      );
    }
    const of = (/** @type {'perSecond' | 'rssMb' | 'p99Ms'} */ name) => median(runs.map((one) => one[name]));
    console.log(
      `audit  median of ${ROUNDS}: ${of('perSecond').toFixed(0)} pages/s (>= 150), ${of('rssMb').toFixed(0)} MB (< 400), loop p99 ${of('p99Ms').toFixed(1)} ms (< 50)`,
    );
  } finally {
    server.disconnect();
    await once(server, 'exit');
  }
}
