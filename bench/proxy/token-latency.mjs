// How much later a token is visible than on a direct connection, next to `resumable-stream` on Redis, which syncs once
// per second. Medians of five alternating rounds; bare commits are measured in each round.
import { median, percentile, rotated, short } from '../streams/stats.mjs';
import { startResumable } from './peers.mjs';
import { bareCommits } from './processes.mjs';
import { line, readTokens } from './scenarios.mjs';

/** @typedef {import('./scenarios.mjs').Bar} Bar */

const ROUNDS = 5;
const LOADS = [
  { streams: 1, everyMs: 25, count: 120, times: 1 },
  { streams: 30, everyMs: 40, count: 75, times: 4 },
  { streams: 200, everyMs: 50, count: 60, times: 15 },
];

/** @param {import('./processes.mjs').Compared} compared @returns {Promise<Bar[]>} */
export async function tokenLatency(compared) {
  const redis = await startResumable(compared.upstream);
  const urls = { direct: compared.upstream, redis: redis.url, sonde: `${compared.sonde}/r/up` };
  const bars = [];
  try {
    for (const load of LOADS) bars.push(...(await measure(urls, load)));
  } finally {
    await redis.stop();
  }
  return bars;
}

/** @param {Record<string, string>} urls @param {typeof LOADS[number]} load @returns {Promise<Bar[]>} */
async function measure(urls, { streams, everyMs, count, times }) {
  /** @type {Record<string, { p50: number[], p99: number[] }>} */
  const figures = {};
  const note = (/** @type {string} */ name, /** @type {number[]} */ values) => {
    figures[name] ??= { p50: [], p99: [] };
    figures[name]?.p50.push(median(values));
    figures[name]?.p99.push(percentile(values, 0.99));
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, url] of rotated(Object.entries(urls), round)) {
      note(
        name,
        await delaysOf(`${url}/tokens?count=${count}&every=${everyMs}`, { streams, everyMs, count }),
      );
    }
    note('commit', (await bareCommits({ bytes: 64, count: 100, everyMs: 10 })).times);
  }
  const of = (/** @type {string} */ name, /** @type {'p50' | 'p99'} */ share) =>
    median(figures[name]?.[share] ?? []);
  const label = `${streams} stream${streams > 1 ? 's' : ''}`;
  for (const name of Object.keys(figures))
    line(`${label}, ${name}`, [`p50 ${short(of(name, 'p50'))} ms`, `p99 ${short(of(name, 'p99'))} ms`]);
  const added = (/** @type {string} */ name) => of(name, 'p50') - of('direct', 'p50');
  const p50Bar = times * (1 + 2 * of('commit', 'p50'));
  const p99Bar = 3 * of('redis', 'p99') + 3 * of('commit', 'p99');
  line(`${label}, added p50`, [`sonde ${short(added('sonde'))} ms`, `redis ${short(added('redis'))} ms`]);
  return [
    { label: `${label}: added p50, ms`, measured: added('sonde'), atMost: p50Bar },
    { label: `${label}: p99, ms`, measured: of('sonde', 'p99'), atMost: p99Bar },
  ];
}

/** @param {string} url @param {{ streams: number, everyMs: number, count: number }} load */
async function delaysOf(url, { streams, everyMs, count }) {
  /** @type {number[]} */
  const delays = [];
  const seen = await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      // Spread over the time between two tokens, like real callers.
      await new Promise((resolve) => setTimeout(resolve, (index * everyMs * 4) / streams));
      return readTokens(url, delays);
    }),
  );
  const tokens = seen.reduce((sum, each) => sum + each, 0);
  if (tokens !== streams * count) throw new Error(`${url} sent ${tokens} of ${streams * count} tokens`);
  return delays;
}
