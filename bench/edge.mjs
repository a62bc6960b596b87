// The edge engine in workerd next to the embedded engine, on this machine, with the client of the streams benchmark, in
// interleaved rounds: appends, catch-up and SSE, and the ratio of one to the other.
import { buildEdge } from '../scripts/build-edge.mjs';
import { startClient } from './streams/client-process.mjs';
import { beginRun } from './streams/processes.mjs';
import { withServers } from './streams/servers.mjs';
import { count, line, median, rotated, short } from './streams/stats.mjs';

/** @typedef {import('./streams/client-process.mjs').Client} Client */
/** @typedef {import('./streams/servers.mjs').Server} Server */
/** @typedef {{ label: string, unit: string, measure: (client: Client, server: Server, round: number) => Promise<number> }} Case */

const MB = 1024 * 1024;
const ROUNDS = 3;
const APPEND = { bytes: 100, ms: 700 };
const STREAM_BYTES = 16 * MB;
const READERS = 100;
const DELIVER = { appends: 5, appendsMax: 20, ms: 1500, warmUp: 2 };

/** @param {string} label @param {{ connections: number, distinct: boolean }} how @returns {Case} */
const appending = (label, how) => ({
  label,
  unit: '/s',
  async measure(client, { port }) {
    const stream = `/v1/stream/${label.replaceAll(/\W+/g, '-')}`;
    return (await client.call('append', { port, stream, ...how, ...APPEND })).perSecond;
  },
});

/** @type {Case[]} */
const CASES = [
  appending('append, 1 connection', { connections: 1, distinct: true }),
  appending('append, 32 to distinct', { connections: 32, distinct: true }),
  appending('append, 32 to one stream', { connections: 32, distinct: false }),
  {
    label: 'catch-up of 16 MB',
    unit: ' MB/s',
    async measure(client, { port, name }, round) {
      const stream = `/v1/stream/catch-up-${round + 1}`;
      const target = { port, stream, distinct: false, connections: 4 };
      await client.call('append', { ...target, bytes: MB, count: STREAM_BYTES / MB });
      const read = await client.call('readStream', { port, stream });
      if (read.bytes !== STREAM_BYTES)
        throw new Error(`${name}: read ${read.bytes} of ${STREAM_BYTES} bytes`);
      return STREAM_BYTES / MB / (read.ms / 1000);
    },
  },
  {
    label: `SSE to ${READERS} readers, p99`,
    unit: ' ms',
    async measure(client, { port }, round) {
      const target = { port, stream: `/v1/stream/sse-${round + 1}` };
      await client.call('openReaders', { ...target, count: READERS });
      const { p99 } = await client.call('deliver', { ...target, ...DELIVER });
      await client.call('closeReaders', undefined);
      return p99;
    },
  },
];

export async function run() {
  beginRun();
  await buildEdge();
  const client = startClient();
  try {
    await withServers(['sonde', 'edge'], async (servers) => {
      for (const each of CASES) await compare(client, servers, each);
    });
  } finally {
    await client.stop();
  }
}

/** @param {Client} client @param {Server[]} servers @param {Case} what */
async function compare(client, servers, { label, unit, measure }) {
  /** @type {Map<string, number[]>} */
  const series = new Map(servers.map(({ name }) => [name, []]));
  // The first round is the warm-up: its figures are dropped.
  for (let round = -1; round < ROUNDS; round++) {
    for (const server of rotated(servers, round)) {
      const figure = await measure(client, server, round);
      if (round >= 0) series.get(server.name)?.push(figure);
    }
  }
  const of = (/** @type {string} */ name) => median(series.get(name) ?? []);
  const shown = (/** @type {number} */ figure) => `${figure >= 100 ? count(figure) : short(figure)}${unit}`;
  line(label, [
    `embedded ${shown(of('sonde'))}`,
    `edge ${shown(of('edge'))}`,
    `x embedded ${(of('edge') / of('sonde')).toFixed(3)}`,
  ]);
}
