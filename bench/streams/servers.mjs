// The servers that are compared, each in its own process, and their cost according to the kernel.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beginRun, startNode, stopNode } from './processes.mjs';

/** @typedef {'sonde' | 'file' | 'memory' | 'http' | 'edge'} ServerName */
/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

/** The three servers in every comparison. @type {ServerName[]} */
export const COMPARED = ['sonde', 'file', 'memory'];

const SONDE = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));
const SONDE_ARGS =
  '--port 0 --auth none --rate-per-minute 0 --connections-max 12000 --log-level error --json'.split(' ');
const START_MS = 20_000;
const MS_PER_TICK = 10;

/** @param {ServerName} name */
function launch(name) {
  if (name === 'http') return startNode('./bare-server.mjs', []);
  if (name === 'memory') return startNode('./reference-server.mjs', []);
  const folder = mkdtempSync(join(beginRun(), `${name}-`));
  if (name === 'file') return startNode('./reference-server.mjs', [folder]);
  if (name === 'edge') return startNode('./edge-server.mjs', [folder]);
  const profiles = process.env['BENCH_PROFILES'];
  const profiling = profiles ? ['--cpu-prof', '--cpu-prof-dir', profiles] : [];
  return startNode(SONDE, ['serve', ...SONDE_ARGS, '--data', folder], profiling);
}

/**
 * Returns the URL in the first JSON line that a server prints; the reference logs before it.
 * @param {import('node:child_process').ChildProcess} child
 */
function announcedUrl(child) {
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
  /** @type {URL} */
  const url = await announcedUrl(child);

  /** @param {string} field */
  const statusMb = (field) => {
    const line = readFileSync(`${proc}/status`, 'utf8').match(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'));
    return Number(line?.[1]) / 1024;
  };
  return {
    name,
    port: Number(url.port),
    rssMb: () => statusMb('VmRSS'),
    peakRssMb: () => statusMb('VmHWM'),
    /** Resets the peak to what is resident now. */
    resetPeak: () => writeFileSync(`${proc}/clear_refs`, '5'),
    /** Returns the processor time of all its threads so far. */
    cpuMs: () => {
      const fields = readFileSync(`${proc}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
    },
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
