// Starts the built server on a folder that is kept, and measures how long the start took and how much memory it left in
// use.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cpuMs } from '../processor-time.mjs';
import { startNode, stopNode } from '../streams/processes.mjs';

const SONDE = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));
const ARGS = '--port 0 --auth none --rate-per-minute 0 --log-level error --json'.split(' ');

/** @param {string} folder @param {readonly string[]} more @param {readonly string[]} nodeArgs */
export async function openGrown(folder, more = [], nodeArgs = []) {
  const from = performance.now();
  const child = startNode(SONDE, ['serve', ...ARGS, '--data', folder, ...more], [...nodeArgs]);
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    if (!child.stdout) return reject(new Error('no stdout'));
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith('{')) resolve(new URL(JSON.parse(line).url).href);
    });
  });
  const startMs = performance.now() - from;
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return {
    url,
    startMs,
    rssMb: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024,
    /** Returns the processor time of the process so far. */
    cpuMs: () => cpuMs(child.pid ?? 0),
    /** Resolves when the process has used no processor time for half a second. */
    async quiet() {
      for (let before = this.cpuMs(), calm = 0; calm < 10; calm++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        const now = this.cpuMs();
        if (now !== before) calm = 0;
        before = now;
      }
    },
    /** Returns one line of the metrics. @param {string} name */
    async metric(name) {
      const text = await (await fetch(`${url}metrics`)).text();
      const line = text.split('\n').find((each) => each.startsWith(`${name} `));
      return Number(line?.slice(name.length + 1) ?? 0);
    },
    stop: () => stopNode(child),
  };
}
