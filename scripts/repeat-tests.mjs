// `npm run repeat-tests -- 5` runs the whole suite five times on the machine as it is and five times alongside a job
// that keeps every core busy; `-- 5 idle` and `-- 5 busy` do one of the two. Prints the counts of each run; failures go
// to stderr. A suite that fails at random hides everything else.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** @typedef {{ numPassedTests: number, numFailedTests: number }} Results */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MACHINES = ['idle', 'busy'];
const [count = '5', only, ...others] = process.argv.slice(2);
const runs = Number(count);
const machines = only === undefined ? MACHINES : MACHINES.filter((machine) => machine === only);
if (!Number.isSafeInteger(runs) || runs < 1 || machines.length === 0 || others.length > 0) {
  console.error(
    'Say how often the suite is to run, and if not on both, whether on an idle or a busy machine: npm run repeat-tests -- 5 busy',
  );
  process.exit(2);
}

/** @returns {() => void} stops the load */
function loadEveryCore() {
  const busy = Array.from({ length: availableParallelism() }, () =>
    // It ends with its parent, even if that is killed.
    spawn(
      process.execPath,
      [
        '-e',
        'process.on("disconnect", process.exit); (function turn() { for (let i = 0; i < 1e7; i++); setImmediate(turn); })()',
      ],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    ),
  );
  return () => {
    for (const each of busy) each.kill('SIGKILL');
  };
}

/** @param {string} file @returns {Promise<number | null>} */
function runSuite(file) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = ['run', '--silent=passed-only', '--reporter=dot', '--reporter=json', `--outputFile=${file}`];
  const child = spawn(process.execPath, [vitest, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve) => child.on('exit', resolve));
}

/** @param {string} label @param {string} folder @returns {Promise<boolean>} whether it passed */
async function runOnce(label, folder) {
  const file = join(folder, 'results.json');
  rmSync(file, { force: true });
  const startedAt = Date.now();
  const exitCode = await runSuite(file);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  /** @type {Results} */
  const results = JSON.parse(readFileSync(file, 'utf8'));
  const hasPassed = exitCode === 0;
  console.log(
    `${label}: ${hasPassed ? 'pass' : 'FAIL'}, ${results.numPassedTests} passed, ${results.numFailedTests} failed, ${seconds} s`,
  );
  return hasPassed;
}

const folder = mkdtempSync(join(tmpdir(), 'sonde-repeat-'));
let passed = 0;
try {
  for (const machine of machines) {
    for (let run = 1; run <= runs; run++) {
      const stopLoad = machine === 'busy' ? loadEveryCore() : () => {};
      try {
        if (await runOnce(`${machine} ${run}/${runs}`, folder)) passed++;
      } finally {
        stopLoad();
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const all = machines.length * runs;
console.log(`${passed} of ${all} runs passed`);
if (passed < all) process.exitCode = 1;
