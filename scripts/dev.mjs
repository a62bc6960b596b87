// `npm run dev`: runs the server, and rebuilds and restarts it when a source changes. Arguments go after `--`.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isStale } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SETTLE_MS = 200;

/** @type {import('node:child_process').ChildProcess | undefined} */
let server;
let isBuilding = false;
let isStopping = false;

function start() {
  const args = [join(root, 'dist', 'sonde.js'), 'serve', ...process.argv.slice(2)];
  server = spawn(process.execPath, args, { stdio: 'inherit' });
}

/** @returns {Promise<void>} */
function stop() {
  const child = server;
  if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

async function rebuild() {
  if (isBuilding || isStopping || !isStale()) return;
  isBuilding = true;
  try {
    process.stderr.write('building…\n');
    await build();
    await stop();
    if (!isStopping) start();
  } catch {
    // esbuild has printed why; the next change tries again.
    process.stderr.write('the build failed; the last one keeps running\n');
  } finally {
    isBuilding = false;
  }
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    isStopping = true;
    void stop().then(() => process.exit(0));
  });
}
if (isStale()) await build();
start();
/** @type {NodeJS.Timeout | undefined} */
let timer;
watch(join(root, 'src'), { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(() => void rebuild(), SETTLE_MS);
});
