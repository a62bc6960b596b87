// The processes of the proxy benchmark: an upstream, a plain pipe, Sonde, and bare commits. The peers are in peers.mjs.
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { OPEN_SERVER } from '../credentials.mjs';
import { beginRun, startNode, stopNode } from '../streams/processes.mjs';

const SONDE = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));
/** @param {string} name */
export const beside = (name) => fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));

/** Returns the first JSON line that a process prints. @param {import('node:child_process').ChildProcess} child */
export async function announced(child) {
  if (!child.stdout) throw new Error('no stdout');
  const [line] = await once(createInterface(child.stdout), 'line');
  return JSON.parse(String(line));
}

/** @typedef {{ upstream: string, pipe: string, sonde: string, sondePid: number, stop(): Promise<void> }} Compared */

/** @returns {Promise<Compared>} */
export async function startCompared() {
  const upstreamChild = startNode(beside('upstream-server'), []);
  const { url: upstream } = await announced(upstreamChild);
  const pipeChild = startNode(beside('pipe-server'), [upstream]);
  const { url: pipe } = await announced(pipeChild);
  const sonde = await startSonde(upstream, OPEN_SERVER);
  return {
    upstream,
    pipe,
    sonde: sonde.url,
    sondePid: sonde.pid,
    async stop() {
      await sonde.stop();
      for (const child of [pipeChild, upstreamChild]) await stopNode(child);
    },
  };
}

/** Starts Sonde with the inline route `up`. @param {string} upstream @param {readonly string[]} auth */
export async function startSonde(upstream, auth) {
  const folder = mkdtempSync(join(beginRun(), 'proxy-'));
  const routes = JSON.stringify({ up: { url: upstream, private: true, credential: 'caller' } });
  const serve = '--port 0 --rate-per-minute 0 --log-level error --json'.split(' ');
  const profiles = process.env['BENCH_PROFILES'];
  const profiling = profiles ? ['--cpu-prof', '--cpu-prof-dir', profiles] : [];
  const args = ['serve', ...serve, ...auth, '--data', folder, '--proxy-routes', routes];
  const child = startNode(SONDE, args, profiling);
  const { url } = await announced(child);
  return { url, pid: child.pid ?? 0, stop: () => stopNode(child) };
}

/**
 * @param {{ bytes: number, count: number, everyMs?: number }} options
 * @returns {Promise<{ seconds: number, times: number[] }>}
 */
export async function bareCommits({ bytes, count, everyMs = 0 }) {
  const folder = mkdtempSync(join(beginRun(), 'bare-'));
  const child = startNode(beside('bare-commits'), [folder, bytes, count, everyMs].map(String));
  const result = await announced(child);
  await stopNode(child);
  return result;
}
