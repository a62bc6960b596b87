// The processes and the folder of one benchmark run: all of them are removed when it ends, also on errors and signals.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

const PRELOAD = new URL('./ends-with-parent.mjs', import.meta.url).href;
const TMPFS = 0x01021994;
const RAMFS = 0x858458f6;
const STOP_MS = 5000;

/** @type {Set<ChildProcess>} */
const running = new Set();
/** @type {string | undefined} */
let workFolder;

/** Folders with durable data must be on a disk: on tmpfs a sync costs nothing. */
function diskFolder() {
  const found = [tmpdir(), '/var/tmp', process.cwd()].find((folder) => {
    const { type } = statfsSync(folder);
    return type !== TMPFS && type !== RAMFS;
  });
  if (found === undefined) throw new Error('no folder on a disk: set TMPDIR to one');
  return found;
}

/** Creates the folder of this run and makes sure that everything is cleaned up. @returns {string} */
export function beginRun() {
  if (workFolder !== undefined) return workFolder;
  const folder = mkdtempSync(join(diskFolder(), 'sonde-bench-streams-'));
  workFolder = folder;
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  return folder;
}

/**
 * Starts Node on a path, or on a file next to this one, with a channel whose loss ends it.
 * @param {string} file
 * @param {string[]} args
 * @param {string[]} nodeArgs
 */
export function startNode(file, args, nodeArgs = []) {
  const path = file.startsWith('./') ? fileURLToPath(new URL(file, import.meta.url)) : file;
  const child = spawn(process.execPath, [...nodeArgs, '--import', PRELOAD, path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return track(child);
}

/** Makes a process end with this run. @param {ChildProcess} child */
export function track(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** @param {ChildProcess} child @returns {Promise<void>} */
export async function stopNode(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    child.kill('SIGTERM');
  });
}
