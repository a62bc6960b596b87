// Requests that do not stream, 32 at once, next to `resumable-stream` on Redis and the Portkey gateway: how many per
// second, and what 1,000 of them cost in processor time (including Redis). Medians of five alternating rounds.
import { Agent, request } from 'node:http';
import { hs256Token, SECRET_SERVER } from '../credentials.mjs';
import { cpuMs } from '../processor-time.mjs';
import { median, rotated, short } from '../streams/stats.mjs';
import { startPortkey, startResumable } from './peers.mjs';
import { startSonde } from './processes.mjs';
import { line } from './scenarios.mjs';

/** @typedef {import('./scenarios.mjs').Bar} Bar */
/** @typedef {{ url: string, pids: number[], headers: Record<string, string> }} Side */

const ROUNDS = 5;
const AT_ONCE = 32;
/** Servers run for days, so compiled code is compared, not its compilation. */
const WARM_UP = 4_000;
const REQUESTS = 2_000;
const BODY = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] });
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** @param {import('./processes.mjs').Compared} compared @returns {Promise<Bar[]>} */
export async function requests(compared) {
  const redis = await startResumable(compared.upstream);
  const portkey = await startPortkey(compared.upstream);
  const withJwt = await startSonde(compared.upstream, SECRET_SERVER);
  /** @type {Record<string, Side>} */
  const sides = {
    redis,
    portkey,
    sonde: { url: `${compared.sonde}/r/up`, pids: [compared.sondePid], headers: {} },
    'sonde with a JWT': {
      url: `${withJwt.url}/r/up`,
      pids: [withJwt.pid],
      headers: { 'sonde-authorization': `Bearer ${await hs256Token()}` },
    },
  };
  /** @type {Record<string, { rate: number[], cpu: number[] }>} */
  const figures = {};
  try {
    for (const side of Object.values(sides)) await sendMany(side, WARM_UP);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, side] of rotated(Object.entries(sides), round)) {
        const { rate, cpu } = await measure(side);
        figures[name] ??= { rate: [], cpu: [] };
        figures[name]?.rate.push(rate);
        figures[name]?.cpu.push(cpu);
      }
    }
  } finally {
    await redis.stop();
    await portkey.stop();
    await withJwt.stop();
  }
  const of = (/** @type {string} */ name, /** @type {'rate' | 'cpu'} */ what) =>
    median(figures[name]?.[what] ?? []);
  for (const name of Object.keys(figures))
    line(`requests, ${name}`, [
      `${short(of(name, 'rate'))} per second`,
      `${short(of(name, 'cpu'))} ms CPU per 1,000`,
    ]);
  return [
    {
      label: 'requests per second, of Redis',
      measured: of('sonde', 'rate') / of('redis', 'rate'),
      atLeast: 1,
    },
    {
      label: 'requests per second, of Portkey',
      measured: of('sonde', 'rate') / of('portkey', 'rate'),
      atLeast: 1.5,
    },
    { label: 'CPU per request, of Redis', measured: of('sonde', 'cpu') / of('redis', 'cpu'), atMost: 0.75 },
  ];
}

/** @param {Side} side */
async function measure(side) {
  const before = cpuMs(...side.pids);
  const startedAt = performance.now();
  await sendMany(side, REQUESTS);
  const seconds = (performance.now() - startedAt) / 1000;
  return { rate: REQUESTS / seconds, cpu: ((cpuMs(...side.pids) - before) * 1000) / REQUESTS };
}

/** @param {Side} side @param {number} count */
async function sendMany(side, count) {
  let left = count;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await send(side);
    }),
  );
}

/** @param {Side} side @returns {Promise<void>} */
function send({ url, headers }) {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/json', authorization: 'Bearer sk-bench' };
    const sent = request(
      `${url}/v1/chat/completions`,
      { agent, method: 'POST', headers: { ...type, ...headers } },
      (response) => {
        let text = '';
        response.on('data', (piece) => {
          text += piece;
        });
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200 && text.includes('pong')) resolve();
          else reject(new Error(`${url} gave ${response.statusCode} ${text.slice(0, 200)}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(BODY);
  });
}
