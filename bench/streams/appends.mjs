// Appends of 100 B on 1 connection, on 32 to distinct streams and on 32 to one, next to the physical limits.
import { fdatasyncRate } from './disk.mjs';
import { COMPARED, withServers } from './servers.mjs';
import { count, line, median, pause, rotated, short } from './stats.mjs';

/** @typedef {import('./servers.mjs').Server} Server */
/** @typedef {import('./client-process.mjs').Client} Client */

const ROUNDS = 5;
const TURN_MS = 700;
const SYNC_MS = 300;
const SETTLE_MS = 50;
const BYTES = 100;

const CASES = [
  { key: 'append 1', label: 'append, 1 connection', connections: 1, distinct: true },
  { key: 'append 32 distinct', label: 'append, 32 to distinct', connections: 32, distinct: true },
  { key: 'append 32 one', label: 'append, 32 to one stream', connections: 32, distinct: false },
];

/** The figures of one server in one case, round by round. */
class Series {
  /** @type {number[]} */ rates = [];
  /** @type {number[]} */ p50s = [];
  /** @type {number[]} */ p99s = [];
  cpuMs = 0;
  appends = 0;

  get rate() {
    return median(this.rates);
  }

  toString() {
    const cpu = (this.cpuMs / this.appends) * 1000;
    return `${count(this.rate)}/s (p50 ${short(median(this.p50s))} p99 ${short(median(this.p99s))} ms, cpu ${cpu.toFixed(0)} ms/1k)`;
  }
}

/** @param {Client} client @returns {Promise<import('./bars.mjs').Figures>} */
export async function appends(client) {
  /** @type {Map<string, Series>} */
  const series = new Map();
  /** @type {{ alone: number[], grouped: number[] }} */
  const syncs = { alone: [], grouped: [] };
  /** @param {string} name @param {string} key */
  const of = (name, key) => {
    const found = series.get(`${name} ${key}`) ?? new Series();
    series.set(`${name} ${key}`, found);
    return found;
  };

  await withServers([...COMPARED, 'sonde-jwt', 'http'], async (servers) => {
    for (let round = -1; round < ROUNDS; round++) {
      for (const [work, server] of turns(servers, round)) {
        // The first round is the warm-up: its figures are dropped.
        const own = round < 0 ? new Series() : of(server.name, work.key);
        await takeTurn(client, server, { ...work, series: own });
      }
      syncs.alone.push(fdatasyncRate({ bytes: BYTES, group: 1, ms: SYNC_MS }));
      syncs.grouped.push(fdatasyncRate({ bytes: BYTES, group: 32, ms: SYNC_MS }));
    }
  });
  return report(of, { alone: median(syncs.alone), grouped: median(syncs.grouped) });
}

/**
 * Returns every case on every server; bare node:http has no streams, so it needs only two of them.
 * @param {Server[]} servers @param {number} round @returns {[(typeof CASES)[number], Server][]}
 */
function turns(servers, round) {
  return CASES.flatMap((work) => {
    const apt = servers.filter(({ name }) => name !== 'http' || work.distinct);
    return rotated(apt, round).map((server) => /** @type {[typeof work, Server]} */ ([work, server]));
  });
}

/**
 * @param {Client} client
 * @param {Server} server
 * @param {(typeof CASES)[number] & { series: Series }} work
 */
async function takeTurn(client, server, { key, connections, distinct, series }) {
  // The same streams in every round: the file-backed reference keeps 100 files open, and responds with 404 to open
  // appends if their file is closed for another stream.
  const stream = `/v1/stream/${key.replaceAll(' ', '-')}`;
  const cpuBefore = server.cpuMs();
  const target = { port: server.port, headers: server.headers, stream, distinct, connections };
  const result = await client.call('append', { ...target, bytes: BYTES, ms: TURN_MS });
  series.rates.push(result.perSecond);
  series.p50s.push(result.p50);
  series.p99s.push(result.p99);
  series.appends += result.count;
  series.cpuMs += server.cpuMs() - cpuBefore;
  await pause(SETTLE_MS);
}

/** @param {(name: string, key: string) => Series} of @param {{ alone: number, grouped: number }} syncs */
function report(of, syncs) {
  /** @type {import('./bars.mjs').Figures} */
  const figures = {};
  for (const { key, label } of CASES) {
    const [sonde, file, memory] = [of('sonde', key), of('file', key), of('memory', key)];
    figures[key] = { sonde: sonde.rate, file: file.rate, memory: memory.rate };
    line(label, [
      `sonde ${sonde}`,
      `file ${file}`,
      `memory ${memory}`,
      `sonde with a JWT ${of('sonde-jwt', key)}`,
      `x file ${short(sonde.rate / file.rate)}  x memory ${short(sonde.rate / memory.rate)}`,
    ]);
  }
  line('physical limits', [
    `fdatasync alone ${count(syncs.alone)}/s, by 32 ${count(syncs.grouped)} writes/s`,
    `bare node:http 1 connection ${of('http', 'append 1')}`,
    `32 connections ${of('http', 'append 32 distinct')}`,
  ]);
  return figures;
}
