// Runs one system and one scenario in its own process and prints the figure as JSON. Started by bench/jobs.mjs.
import { graphile } from './graphile.mjs';
import { pgBoss } from './pg-boss.mjs';
import { sonde } from './sonde.mjs';

/** @typedef {{ enqueue(count: number): Promise<void>, drain(count: number): Promise<number>, pickup(times: number): Promise<number[]>, stop(): Promise<void> }} System */
/** @type {Record<string, (url: string) => Promise<System>>} */
const SYSTEMS = {
  sonde,
  'graphile 11': (url) => graphile(url, { size: 11, delayMs: 250 }),
  'graphile 500': (url) => graphile(url, { size: 500, delayMs: 0 }),
  graphile: (url) => graphile(url),
  'pg-boss': pgBoss,
};

const [name = '', scenario = '', url = '', count = '20000'] = process.argv.slice(2);
const open = SYSTEMS[name];
if (!open) throw new Error(`unknown system ${name}`);
const system = await open(url);
try {
  const jobs = Number(count);
  if (scenario === 'pickup') console.log(JSON.stringify(await system.pickup(jobs)));
  else {
    const startedAt = performance.now();
    await system.enqueue(jobs);
    const enqueueMs = performance.now() - startedAt;
    const drainMs = scenario === 'drain' ? await system.drain(jobs) : 0;
    console.log(JSON.stringify({ enqueue: (jobs / enqueueMs) * 1000, drain: (jobs / drainMs) * 1000 }));
  }
} finally {
  await system.stop();
}
process.exit(0);
