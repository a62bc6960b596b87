// Start-up of the command line, compared with bare Node in the same run: median of 31 interleaved starts each.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../dist/sonde.js', import.meta.url));
const STARTS = 31;

/** @type {Record<string, string[]>} */
const CALLS = {
  'node -e 0': ['-e', '0'],
  'sonde --version': [PROGRAM, '--version'],
  'sonde --help': [PROGRAM, '--help'],
  'sonde net check': [PROGRAM, 'net', 'check', 'http://127.0.0.1/'],
};

export async function run() {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(CALLS).map((name) => [name, []]));
  for (let i = 0; i < STARTS; i++) {
    for (const [name, args] of Object.entries(CALLS)) {
      const startedAt = performance.now();
      spawnSync(process.execPath, args, { stdio: 'ignore' });
      times[name]?.push(performance.now() - startedAt);
    }
  }
  for (const [name, list] of Object.entries(times)) {
    const median = list.sort((a, b) => a - b)[Math.floor(STARTS / 2)] ?? 0;
    console.log(`cli  ${name.padEnd(16)} ${median.toFixed(0)} ms`);
  }
}
