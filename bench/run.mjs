// `npm run bench -- NAME…`: builds what is stale and runs the named benchmarks, or lists them. Each prints
// its peer from the same run beside our figure, since absolute numbers on shared machines mean little.
import { build, isStale } from '../scripts/build.mjs';

/** @type {Record<string, () => Promise<{ run(): Promise<void> }>>} */
const BENCHES = {
  audit: () => import('./audit.mjs'),
  cli: () => import('./cli.mjs'),
  dashboard: () => import('./dashboard.mjs'),
  edge: () => import('./edge.mjs'),
  growth: () => import('./growth.mjs'),
  jobs: () => import('./jobs.mjs'),
  compare: () => import('./compare.mjs'),
  net: () => import('./net.mjs'),
  proxy: () => import('./proxy.mjs'),
  'read-modes': () => import('./read-modes.mjs'),
  redact: () => import('./redact.mjs'),
  streams: () => import('./streams.mjs'),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in BENCHES));
if (names.length === 0 || unknown.length > 0) {
  console.error(`usage: npm run bench -- NAME…   (known: ${Object.keys(BENCHES).join(', ')})`);
  process.exit(2);
}
if (isStale()) await build();
for (const name of names) {
  const load = BENCHES[name];
  if (load) await (await load()).run();
}
