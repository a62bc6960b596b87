// The durable proxy next to a direct connection, a plain undici pipe, `resumable-stream` on Redis and the Portkey
// gateway, in one run; then the bars with the measured figures. `npm run bench -- proxy` runs all of it; `node
// bench/proxy.mjs NAME…` runs some of: latency, requests, head, throughput, many. BENCH_SECONDS shortens the minute of
// the last one. With BENCH_PROFILES set to a folder, Sonde writes V8 processor profiles there.
import { pathToFileURL } from 'node:url';
import { build, isStale } from '../scripts/build.mjs';
import { startCompared } from './proxy/processes.mjs';
import { requests } from './proxy/requests.mjs';
import { head, many, throughput } from './proxy/scenarios.mjs';
import { tokenLatency } from './proxy/token-latency.mjs';
import { beginRun } from './streams/processes.mjs';
import { short } from './streams/stats.mjs';

const SCENARIOS = { latency: tokenLatency, requests, head, throughput, many };

/** @param {string[]} names */
export async function run(names = Object.keys(SCENARIOS)) {
  beginRun();
  /** @type {import('./proxy/scenarios.mjs').Bar[]} */
  const bars = [];
  for (const name of names) {
    const scenario = SCENARIOS[/** @type {keyof typeof SCENARIOS} */ (name)];
    if (!scenario) throw new Error(`unknown scenario ${name}; known: ${Object.keys(SCENARIOS).join(', ')}`);
    const compared = await startCompared();
    try {
      bars.push(...(await scenario(compared)));
    } finally {
      await compared.stop();
    }
  }
  console.log('\nbars');
  for (const { label, measured, atMost, atLeast, goal } of bars) {
    const isMet =
      measured <= (atMost ?? Number.POSITIVE_INFINITY) &&
      measured >= (atLeast ?? goal ?? Number.NEGATIVE_INFINITY);
    const limit = atMost ?? atLeast ?? goal ?? Number.NaN;
    const bar = `${atMost !== undefined ? '<=' : atLeast !== undefined ? '>=' : 'goal'} ${short(limit)}`;
    console.log(
      `  ${isMet ? 'met   ' : 'missed'}  ${label.padEnd(40)} ${bar.padEnd(10)} measured ${short(measured).padEnd(6)} ` +
        `ratio ${short(measured / limit)}`,
    );
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (isStale()) await build();
  const names = process.argv.slice(2);
  await run(names.length > 0 ? names : undefined);
  process.exit();
}
