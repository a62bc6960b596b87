// The servers that are compared, each in its own process, and their cost according to the kernel.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { hs256Token, OPEN_SERVER, SECRET_SERVER } from '../credentials.mjs';
import { cpuMs } from '../processor-time.mjs';
import { beginRun, startNode, stopNode } from './processes.mjs';

/** @typedef {'sonde' | 'sonde-jwt' | 'file' | 'memory' | 'http' | 'edge'} ServerName */
/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

/** The three servers in every comparison. @type {ServerName[]} */
export const COMPARED = ['sonde', 'file', 'memory'];

const SONDE = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));
const SONDE_ARGS = '--port 0 --rate-per-minute 0 --connections-max 12000 --log-level error --json'.split(' ');
const START_MS = 20_000;

/** @param {ServerName} name */
function launch(name) {
  if (name === 'http') return startNode('./bare-server.mjs', []);
  if (name === 'memory') return startNode('./reference-server.mjs', []);
  const folder = mkdtempSync(join(beginRun(), `${name}-`));
  if (name === 'file') return startNode('./reference-server.mjs', [folder]);
  if (name === 'edge') return startNode('./edge-server.mjs', [folder]);
  const profiles = process.env['BENCH_PROFILES'];
  const profiling = profiles ? ['--cpu-prof', '--cpu-prof-dir', profiles] : [];
  const auth = name === 'sonde-jwt' ? SECRET_SERVER : OPEN_SERVER;
  return startNode(SONDE, ['serve', ...SONDE_ARGS, ...auth, '--data', folder], profiling);
}

/**
 * Returns the URL in the first JSON line that a server prints; the reference logs before it.
 * @param {import('node:child_process').ChildProcess} child @returns {Promise<URL>}
 */
export function announcedUrl(child) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the server did not start in time')), START_MS);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    if (!child.stdout) return reject(new Error('no stdout'));
    createInterface(child.stdout).on('line', (line) => {
      if (!line.startsWith('{')) return;
      clearTimeout(timer);
      resolve(new URL(JSON.parse(line).url));
    });
  });
}

/** @param {ServerName} name */
export async function startServer(name) {
  const child = launch(name);
  const proc = `/proc/${child.pid}`;
  const url = await announcedUrl(child);

  /** @param {string} field */
  const statusMb = (field) => {
    const line = readFileSync(`${proc}/status`, 'utf8').match(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'));
    return Number(line?.[1]) / 1024;
  };
  return {
    name,
    /** What its callers must send. */
    headers: name === 'sonde-jwt' ? { Authorization: `Bearer ${await hs256Token()}` } : {},
    port: Number(url.port),
    rssMb: () => statusMb('VmRSS'),
    peakRssMb: () => statusMb('VmHWM'),
    /** Resets the peak to what is resident now. */
    resetPeak: () => writeFileSync(`${proc}/clear_refs`, '5'),
    /** Returns the processor time of all its threads so far. */
    cpuMs: () => cpuMs(child.pid ?? 0),
    stop: () => stopNode(child),
  };
}

/**
 * Runs `act` with fresh servers and stops them.
 * @template T
 * @param {ServerName[]} names
 * @param {(servers: Server[]) => Promise<T>} act
 */
export async function withServers(names, act) {
  /** @type {Server[]} */
  const servers = [];
  try {
    for (const name of names) servers.push(await startServer(name));
    return await act(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
