// Catch-up of 50 MB stored in 1 MB and in 16 KB messages: each stream is read twice, and the kernel reports the
// server's peak memory during the reads.
import { COMPARED, withServers } from './servers.mjs';
import { line, median, pause, rotated, short } from './stats.mjs';

/** @typedef {import('./servers.mjs').Server} Server */
/** @typedef {import('./client-process.mjs').Client} Client */

const MB = 1024 * 1024;
const ROUNDS = 3;
const STREAM_BYTES = 50 * MB;
const WARM_UP_BYTES = 8 * MB;
const SETTLE_MS = 300;

const SIZES = [
  { key: 'catch-up 1 MB', label: 'catch-up, 1 MB messages', bytes: MB, connections: 4 },
  { key: 'catch-up 16 KB', label: 'catch-up, 16 KB messages', bytes: 16 * 1024, connections: 32 },
];

/** The figures of one server for one message size. */
class Series {
  /** @type {number[]} */ first = [];
  /** @type {number[]} */ second = [];
  /** @type {number[]} */ firstByteMs = [];
  beforeMb = 0;
  peakMb = 0;

  toString() {
    return `${short(median(this.first))} then ${short(median(this.second))} MB/s (first byte ${short(median(this.firstByteMs))} ms, RSS ${this.beforeMb.toFixed(0)} -> ${this.peakMb.toFixed(0)} MB)`;
  }
}

/** @param {Client} client @returns {Promise<import('./bars.mjs').Figures>} */
export async function catchUp(client) {
  /** @type {import('./bars.mjs').Figures} */
  const figures = {};
  for (const size of SIZES) {
    Object.assign(figures, await withServers(COMPARED, (servers) => compare(client, servers, size)));
  }
  return figures;
}

/** @param {Client} client @param {Server[]} servers @param {(typeof SIZES)[number]} size */
async function compare(client, servers, size) {
  const series = new Map(servers.map((server) => [server.name, new Series()]));
  for (let round = -1; round < ROUNDS; round++) {
    const total = round < 0 ? WARM_UP_BYTES : STREAM_BYTES;
    const stream = `/v1/stream/catch-up-${round + 1}`;
    for (const { port } of rotated(servers, round)) {
      const target = { port, stream, distinct: false, connections: size.connections };
      await client.call('append', { ...target, bytes: size.bytes, count: total / size.bytes });
    }
    await pause(SETTLE_MS);
    for (const server of rotated(servers, round)) {
      // The first round is the warm-up: its figures are dropped.
      const own = round < 0 ? undefined : series.get(server.name);
      await readTwice(client, server, { stream, total, series: own ?? new Series() });
    }
  }
  return report(size, series);
}

/** @param {Client} client @param {Server} server @param {{ stream: string, total: number, series: Series }} what */
async function readTwice(client, server, { stream, total, series }) {
  server.resetPeak();
  const beforeMb = server.rssMb();
  for (const list of [series.first, series.second]) {
    const read = await client.call('readStream', { port: server.port, stream });
    if (read.bytes !== total) throw new Error(`${server.name}: read ${read.bytes} of ${total} bytes`);
    list.push(total / MB / (read.ms / 1000));
    if (list === series.first) series.firstByteMs.push(read.firstByteMs);
  }
  const peakMb = server.peakRssMb();
  if (series.peakMb === 0 || peakMb - beforeMb > series.peakMb - series.beforeMb) {
    Object.assign(series, { beforeMb, peakMb });
  }
}

/** @param {{ key: string, label: string }} size @param {Map<string, Series>} series */
function report({ key, label }, series) {
  /** @param {string} name @param {'first' | 'second'} read */
  const rate = (name, read) => median(series.get(name)?.[read] ?? []);
  /** @param {'first' | 'second'} read */
  const rates = (read) => ({
    sonde: rate('sonde', read),
    file: rate('file', read),
    memory: rate('memory', read),
  });
  const [first, second] = [rates('first'), rates('second')];
  line(label, [
    ...[...series].map(([name, own]) => `${name} ${own}`),
    `x file ${short(first.sonde / first.file)} then ${short(second.sonde / second.file)}` +
      `  x memory ${short(first.sonde / first.memory)} then ${short(second.sonde / second.memory)}`,
  ]);
  return { [`${key} first`]: first, [`${key} second`]: second };
}
