// The processes of the proxy benchmark: an upstream, a plain pipe, Sonde, and bare commits. The peers are in peers.mjs.
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
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
  const folder = mkdtempSync(join(beginRun(), 'proxy-'));
  const routes = JSON.stringify({ up: { url: upstream, private: true } });
  const serve = '--port 0 --auth none --rate-per-minute 0 --log-level error --json'.split(' ');
  const profiles = process.env['BENCH_PROFILES'];
  const profiling = profiles ? ['--cpu-prof', '--cpu-prof-dir', profiles] : [];
  const args = ['serve', ...serve, '--data', folder, '--proxy-routes', routes];
  const sondeChild = startNode(SONDE, args, profiling);
  const { url: sonde } = await announced(sondeChild);
  return {
    upstream,
    pipe,
    sonde,
    sondePid: sondeChild.pid ?? 0,
    async stop() {
      for (const child of [sondeChild, pipeChild, upstreamChild]) await stopNode(child);
    },
  };
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
