// Durable streams: Sonde next to @durable-streams/server, file-backed and in memory, with one raw-socket client, in
// interleaved rounds; then the bars with the measured figures. `npm run bench -- streams` runs all of it; `node
// bench/streams.mjs NAME…` runs some of: appends, catch-up, sse, idle. With BENCH_PROFILES set to a folder, Sonde's
// servers write V8 processor profiles there.
import { pathToFileURL } from 'node:url';
import { build, isStale } from '../scripts/build.mjs';
import { appends } from './streams/appends.mjs';
import { printBars } from './streams/bars.mjs';
import { catchUp } from './streams/catch-up.mjs';
import { startClient } from './streams/client-process.mjs';
import { beginRun } from './streams/processes.mjs';
import { idle, sse } from './streams/sse.mjs';

/** @typedef {import('./streams/client-process.mjs').Client} Client */
/** @type {Record<string, (client: Client) => Promise<import('./streams/bars.mjs').Figures>>} */
const SCENARIOS = { appends, 'catch-up': catchUp, sse, idle };

/** @param {string[]} names */
export async function run(names = Object.keys(SCENARIOS)) {
  beginRun();
  /** @type {import('./streams/bars.mjs').Figures} */
  const figures = {};
  for (const name of names) {
    const scenario = SCENARIOS[name];
    if (!scenario) throw new Error(`unknown scenario ${name}; known: ${Object.keys(SCENARIOS).join(', ')}`);
    const client = startClient();
    try {
      Object.assign(figures, await scenario(client));
    } finally {
      await client.stop();
    }
  }
  printBars(figures);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (isStale()) await build();
  const names = process.argv.slice(2);
  await run(names.length > 0 ? names : undefined);
}
