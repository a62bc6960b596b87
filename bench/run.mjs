// `npm run bench -- NAME…`: builds what is stale and runs the named benchmarks, or lists them. If a benchmark has
// parts, `NAME:PART,PART` runs only those; flags after the names are for a benchmark that has some. Each prints its peer
// from the same run next to our figure, because absolute numbers on shared machines mean little.
import { build, isStale } from '../scripts/build.mjs';

/** @typedef {{ run(parts?: readonly string[], flags?: readonly string[]): Promise<void>, PARTS?: object }} Bench */
/** @type {Record<string, () => Promise<Bench>>} */
const BENCHES = {
  audit: () => import('./audit.mjs'),
  cli: () => import('./cli.mjs'),
  cpu: () => import('./cpu.mjs'),
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

/** @param {string} known @returns {never} */
function refuse(known) {
  console.error(`usage: npm run bench -- NAME…   (known: ${known})`);
  process.exit(2);
}

const words = process.argv.slice(2);
const flagsFrom = words.findIndex((word) => word.startsWith('--'));
const flags = flagsFrom < 0 ? [] : words.splice(flagsFrom);
const asked = words.map((each) => each.split(':'));
if (asked.length === 0 || asked.some(([name = '']) => !(name in BENCHES)))
  refuse(Object.keys(BENCHES).join(', '));
if (isStale()) await build();
for (const [name = '', listed] of asked) {
  const bench = await BENCHES[name]?.();
  const parts = listed?.split(',');
  const known = Object.keys(bench?.PARTS ?? {});
  if (parts?.some((part) => !known.includes(part))) refuse(known.map((part) => `${name}:${part}`).join(', '));
  await bench?.run(parts, flags);
}
