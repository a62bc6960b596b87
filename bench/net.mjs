// The cost of the egress layer: outbound.fetch, compared with plain undici.request with the same Agent options and with
// the built-in fetch, all draining a 1 KiB body over keep-alive sockets. Rounds are interleaved, and the median of nine
// is printed, with ratios.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createOutboundClient } from 'sonde/net';
import { Agent, request } from 'undici';

/** As src/runtimes/node/egress/undici-egress.ts sets them. */
const AGENT_OPTIONS = {
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 10_000,
  maxHeaderSize: 16_384,
  strictContentLength: true,
};
const ROUNDS = 9;
const PER_ROUND = { 1: 1500, 50: 8000 };

/** @param {() => Promise<void>} once_ @param {number} concurrency @param {number} count */
async function rate(once_, concurrency, count) {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await once_();
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  return count / ((performance.now() - startedAt) / 1000);
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** @param {string} url */
function contenders(url) {
  const agent = new Agent({ ...AGENT_OPTIONS, connections: 256 });
  const outbound = createOutboundClient({ allowPrivate: [new URL(url).origin] });
  return {
    close: () => Promise.all([agent.destroy(), outbound.close()]),
    /** @type {Record<string, () => Promise<void>>} */
    calls: {
      sonde: async () => {
        const result = await outbound.fetch({ url });
        if (!result.ok) throw result.error;
        let bytes = 0;
        for (
          let piece = await result.response.body.read();
          piece;
          piece = await result.response.body.read()
        ) {
          bytes += piece.length;
        }
        if (bytes !== 1024) throw new Error(`${bytes} bytes`);
      },
      'undici.request': async () => {
        const { body } = await request(url, { dispatcher: agent });
        let bytes = 0;
        for await (const piece of body) bytes += piece.length;
        if (bytes !== 1024) throw new Error(`${bytes} bytes`);
      },
      fetch: async () => {
        const response = await fetch(url);
        const bytes = (await response.arrayBuffer()).byteLength;
        if (bytes !== 1024) throw new Error(`${bytes} bytes`);
      },
    },
  };
}

/** @param {Record<string, () => Promise<void>>} calls @param {1 | 50} concurrency */
async function compare(calls, concurrency) {
  const names = Object.keys(calls);
  /** @type {Record<string, number[]>} */
  const rates = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -1; round < ROUNDS; round++) {
    // Each round starts with another contender, so that none always follows the same one.
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round + names.length) % names.length] ?? '';
      const call = calls[name];
      if (!call) continue;
      const measured = await rate(call, concurrency, PER_ROUND[concurrency]);
      if (round >= 0) rates[name]?.push(measured);
    }
  }
  const [own = 0, plain = 0, builtin = 0] = names.map((name) => median(rates[name] ?? []));
  console.log(
    `net  c=${String(concurrency).padEnd(3)} sonde ${own.toFixed(0)}/s  undici.request ${plain.toFixed(0)}/s  fetch ${builtin.toFixed(0)}/s` +
      `  sonde/request ${(own / plain).toFixed(2)}  sonde/fetch ${(own / builtin).toFixed(2)}`,
  );
}

export async function run() {
  const server = fork(new URL('./net-server.mjs', import.meta.url));
  try {
    const [port] = await once(server, 'message');
    const { calls, close } = contenders(`http://127.0.0.1:${port}/`);
    await compare(calls, 1);
    await compare(calls, 50);
    await close();
  } finally {
    server.disconnect();
  }
}
