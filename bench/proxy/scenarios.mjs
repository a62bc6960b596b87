// The measurements of the durable proxy, each next to a direct connection and a plain pipe in the same run.
import { Agent, get } from 'node:http';
import { median, pause, percentile, rotated, short } from '../streams/stats.mjs';
import { bareCommits } from './processes.mjs';

/** @typedef {import('./processes.mjs').Compared} Compared */
/** @typedef {{ label: string, measured: number, atMost?: number, atLeast?: number, goal?: number }} Bar */

const agent = new Agent({ keepAlive: true, maxSockets: 4096 });
const wallMs = () => performance.timeOrigin + performance.now();

/** @param {string} label @param {string[]} parts */
export function line(label, parts) {
  console.log(`proxy  ${label.padEnd(24)} ${parts.join('  |  ')}`);
}

/**
 * @param {string} url
 * @param {(piece: Buffer) => void} [onPiece]
 * @returns {Promise<{ headMs: number, firstMs: number, bytes: number, seconds: number }>}
 */
function fetchWhole(url, onPiece = () => {}) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let firstMs = 0;
    let bytes = 0;
    get(url, { agent }, (response) => {
      const headMs = performance.now() - startedAt;
      response.on('data', (piece) => {
        if (bytes === 0) firstMs = performance.now() - startedAt;
        bytes += piece.length;
        onPiece(piece);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ headMs, firstMs, bytes, seconds: (performance.now() - startedAt) / 1000 }),
      );
    }).on('error', reject);
  });
}

/** @param {Compared} compared @param {string} path */
const places = ({ upstream, pipe, sonde }, path) => ({
  direct: `${upstream}${path}`,
  pipe: `${pipe}${path}`,
  sonde: `${sonde}/r/up${path}`,
});

/** @param {Compared} compared @returns {Promise<Bar[]>} */
export async function head(compared) {
  const urls = places(compared, '/first?bytes=8192');
  /** @type {Record<string, { head: number[], first: number[] }>} */
  const times = {};
  for (let round = 0; round < 320; round++) {
    for (const [name, url] of rotated(Object.entries(urls), round)) {
      const { headMs, firstMs } = await fetchWhole(url);
      if (round < 20) continue;
      times[name] ??= { head: [], first: [] };
      times[name]?.head.push(headMs);
      times[name]?.first.push(firstMs);
    }
  }
  for (const [name, { head: heads, first }] of Object.entries(times)) {
    line(`head, ${name}`, [
      `p50 ${short(median(heads))} ms`,
      `p99 ${short(percentile(heads, 0.99))} ms`,
      `first byte p50 ${short(median(first))} ms`,
    ]);
  }
  const over = (/** @type {'head' | 'first'} */ what) =>
    median(times['sonde']?.[what] ?? []) - median(times['direct']?.[what] ?? []);
  return [
    { label: 'head, ms over direct, p50', measured: over('head'), atMost: 5 },
    { label: 'first byte, ms over direct, p50', measured: over('first'), atMost: 5 },
  ];
}

/** @param {string} url @param {number[]} delays @returns {Promise<number>} tokens seen */
export async function readTokens(url, delays) {
  let text = '';
  let tokens = 0;
  await fetchWhole(url, (piece) => {
    const now = wallMs();
    text += piece.toString('latin1');
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      delays.push(now - Number(text.slice(0, end).trim().split(' ')[2]));
      tokens++;
      text = text.slice(end + 1);
    }
  });
  return tokens;
}

const BODY_BYTES = 100 * 1024 * 1024;

/** @param {string} sonde */
async function storedSoFar(sonde) {
  const text = await (await fetch(`${sonde}/metrics`)).text();
  const of = (/** @type {string} */ name) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    bytes: of('sonde_proxy_bytes_total'),
    records: of('sonde_proxy_records_total'),
    unsealed: of('sonde_stream_chunks_unsealed'),
  };
}

/** @param {Compared} compared @returns {Promise<Bar[]>} */
export async function throughput(compared) {
  const urls = places(compared, `/body?bytes=${BODY_BYTES}`);
  /** @type {Record<string, number[]>} */
  const rates = { direct: [], pipe: [], sonde: [], bare: [] };
  let recordBytes = 0;
  for (let round = 0; round < 3; round++) {
    for (const [name, url] of rotated(Object.entries(urls), round)) {
      const before = await storedSoFar(compared.sonde);
      const { bytes, seconds } = await fetchWhole(url);
      if (bytes !== BODY_BYTES) throw new Error(`${name} sent ${bytes} bytes`);
      rates[name]?.push(BODY_BYTES / 1e6 / seconds);
      if (name !== 'sonde') continue;
      let after = await storedSoFar(compared.sonde);
      // The end is recorded just after it is reported, and the peers must not pay for sealing.
      while (after.bytes < before.bytes + BODY_BYTES || after.unsealed > 0) {
        await pause(50);
        after = await storedSoFar(compared.sonde);
      }
      recordBytes = Math.round((after.bytes - before.bytes) / (after.records - before.records));
    }
    const count = Math.ceil(BODY_BYTES / recordBytes);
    const { seconds } = await bareCommits({ bytes: recordBytes, count });
    rates['bare']?.push((count * recordBytes) / 1e6 / seconds);
  }
  const rate = (/** @type {string} */ name) => median(rates[name] ?? []);
  line('100 MB body', [
    ...Object.keys(rates).map((name) => `${name} ${short(rate(name))} MB/s`),
    `records of ${short(recordBytes / 1024)} KB`,
  ]);
  return [
    { label: 'throughput, of bare commits', measured: rate('sonde') / rate('bare'), atLeast: 0.6 },
    { label: 'throughput, of the plain pipe', measured: rate('sonde') / rate('pipe'), goal: 0.25 },
  ];
}

/** @param {Compared} compared @returns {Promise<Bar[]>} */
export async function many(compared) {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 60);
  const [streams, count] = [1000, seconds * 10];
  /** @type {number[]} */
  const delays = [];
  const url = places(compared, `/tokens?count=${count}&every=100`).sonde;
  /** @type {Map<string, number>} */
  const broken = new Map();
  const startedAt = performance.now();
  const seen = await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      // Spread over one tick of their clocks, like real callers.
      await new Promise((resolve) => setTimeout(resolve, index * 2));
      return readTokens(url, delays).catch((error) => {
        broken.set(error.code, (broken.get(error.code) ?? 0) + 1);
        return 0;
      });
    }),
  );
  const tokens = seen.reduce((sum, each) => sum + each, 0);
  line('1,000 streams', [
    `${tokens} of ${streams * count} tokens in ${short((performance.now() - startedAt) / 1000)} s`,
    `broken off ${[...broken].map(([code, times]) => `${times} ${code}`).join(', ') || 0}`,
    `visible p50 ${short(median(delays))} ms`,
    `p99 ${short(percentile(delays, 0.99))} ms`,
  ]);
  return [{ label: '1,000 streams, share of tokens read', measured: tokens / (streams * count), atLeast: 1 }];
}
