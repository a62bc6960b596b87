// Delivery to 1,000 SSE readers of one stream, on all servers; and the cost of 10,000 idle readers for Sonde.
import { readFileSync } from 'node:fs';
import { COMPARED, withServers } from './servers.mjs';
import { count, line, median, pause, rotated, short } from './stats.mjs';

/** @typedef {import('./servers.mjs').Server} Server */
/** @typedef {import('./client-process.mjs').Client} Client */

const READERS = 1000;
const ROUNDS = 3;
const APPENDS = { appends: 5, appendsMax: 40, ms: 3000, warmUp: 2 };
const SETTLE_MS = 300;
const IDLE_READERS = 10_000;
const IDLE_WARM_UP = 500;
const IDLE_SETTLE_MS = 3000;
const FILES_SPARE = 500;

/** The figures of one server, round by round. */
class Series {
  /** @type {number[]} */ p50s = [];
  /** @type {number[]} */ p99s = [];
  beforeMb = 0;
  withMb = 0;
  cpuMs = 0;
  deliveries = 0;

  toString() {
    const cpu = (this.cpuMs / this.deliveries) * 1000;
    return `p50 ${short(median(this.p50s))} p99 ${short(median(this.p99s))} ms (cpu ${cpu.toFixed(0)} ms/1k, RSS ${this.beforeMb.toFixed(0)} -> ${this.withMb.toFixed(0)} MB)`;
  }
}

/** @param {Client} client @returns {Promise<import('./bars.mjs').Figures>} */
export async function sse(client) {
  return withServers(COMPARED, async (servers) => {
    const series = new Map(servers.map((server) => [server.name, new Series()]));
    for (const [name, own] of series) {
      own.beforeMb = servers.find((server) => server.name === name)?.rssMb() ?? Number.NaN;
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const server of rotated(servers, round)) {
        await deliverRound(client, server, { round, series: series.get(server.name) ?? new Series() });
        await pause(SETTLE_MS);
      }
    }
    /** @param {import('./servers.mjs').ServerName} name */
    const p99 = (name) => median(series.get(name)?.p99s ?? []);
    const figures = { sonde: p99('sonde'), file: p99('file'), memory: p99('memory') };
    line('SSE, 1,000 readers', [
      ...[...series].map(([name, own]) => `${name} ${own}`),
      `p99 x file ${(figures.sonde / figures.file).toFixed(3)}  x memory ${short(figures.sonde / figures.memory)}`,
    ]);
    return { 'sse p99': figures };
  });
}

/** @param {Client} client @param {Server} server @param {{ round: number, series: Series }} what */
async function deliverRound(client, server, { round, series }) {
  const target = { port: server.port, stream: `/v1/stream/sse-${round}` };
  await client.call('openReaders', { ...target, count: READERS });
  await pause(SETTLE_MS);
  series.withMb = Math.max(series.withMb, server.rssMb());
  const cpuBefore = server.cpuMs();
  const result = await client.call('deliver', { ...target, ...APPENDS });
  series.cpuMs += server.cpuMs() - cpuBefore;
  series.deliveries += (result.appends + APPENDS.warmUp) * READERS;
  series.p50s.push(result.p50);
  series.p99s.push(result.p99);
  const lost = await client.call('closeReaders', undefined);
  if (lost > 0) throw new Error(`${server.name}: ${lost} readers were closed`);
}

/** Returns how many readers the limit on open files allows. */
function idleReaders() {
  const limit = readFileSync('/proc/self/limits', 'utf8').match(/^Max open files\s+\S+\s+(\d+)/m)?.[1];
  return Math.min(IDLE_READERS, Number(limit ?? Number.POSITIVE_INFINITY) - FILES_SPARE);
}

/** @param {Client} client @returns {Promise<import('./bars.mjs').Figures>} */
export async function idle(client) {
  return withServers(['sonde'], async ([server]) => {
    if (!server) throw new Error('no server');
    const readers = idleReaders();
    const warmUp = { port: server.port, stream: '/v1/stream/warm-up' };
    await client.call('openReaders', { ...warmUp, count: IDLE_WARM_UP });
    await client.call('deliver', { ...warmUp, appends: 3, appendsMax: 3, ms: 0, warmUp: 0 });
    await client.call('closeReaders', undefined);
    await pause(IDLE_SETTLE_MS);

    const beforeMb = server.rssMb();
    const target = { port: server.port, stream: '/v1/stream/idle' };
    const openedMs = await client.call('openReaders', { ...target, count: readers });
    await pause(IDLE_SETTLE_MS);
    const withMb = server.rssMb();
    const cpuBefore = server.cpuMs();
    await pause(IDLE_SETTLE_MS);
    const cpuShare = (server.cpuMs() - cpuBefore) / IDLE_SETTLE_MS;
    const lost = await client.call('closeReaders', undefined);
    if (lost > 0) throw new Error(`${lost} idle readers were closed`);

    const kbPerReader = ((withMb - beforeMb) * 1024) / readers;
    line(`SSE, ${count(readers)} idle readers`, [
      `sonde RSS ${beforeMb.toFixed(0)} -> ${withMb.toFixed(0)} MB = ${short(kbPerReader)} KB a reader`,
      `opened in ${short(openedMs / 1000)} s, cpu while idle ${(cpuShare * 100).toFixed(1)} %`,
    ]);
    return { 'idle KB': { sonde: kbPerReader, file: Number.NaN, memory: Number.NaN } };
  });
}
