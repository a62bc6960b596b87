// The ways to follow a proxied response, side by side in one run: 100 tokens, one every 60 ms, through a wire with 20
// ms in each direction. Measures how long after the upstream wrote a token it is seen, the number of requests, and the
// bytes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TOKENS = 100;
const SPACING_MS = 60;
const ONE_WAY_MS = 20;

/** @type {number[]} when each token was written */
let written = [];

/** @param {import('node:net').Server} server @returns {Promise<number>} */
async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const upstream = createServer((_request, response) => {
  written = [];
  let index = 0;
  const timer = setInterval(() => {
    if (index === TOKENS) {
      clearInterval(timer);
      response.end();
      return;
    }
    written[index] = performance.now();
    response.write(`data: {"token":"${String(index++).padStart(4, '0')}"}\n\n`);
  }, SPACING_MS);
});

/** @param {number} port @param {{ bytes: number }} count @returns {import('node:net').Server} */
function slowWire(port, count) {
  return createTcp({ noDelay: true }, (client) => {
    const server = connect({ port, host: '127.0.0.1', noDelay: true });
    /** @param {import('node:net').Socket} from @param {import('node:net').Socket} to */
    const carry = (from, to) => {
      from.on('data', (data) => {
        count.bytes += data.length;
        setTimeout(() => to.writable && to.write(data), ONE_WAY_MS);
      });
      from.on('end', () => setTimeout(() => to.end(), ONE_WAY_MS));
      from.on('error', () => to.destroy());
    };
    carry(client, server);
    carry(server, client);
  });
}

/** @param {string} text @param {number[]} seen */
function note(text, seen) {
  for (const [, index] of text.matchAll(/"token":"(\d{4})"/g)) seen[Number(index)] ??= performance.now();
}

/** @typedef {{ url: string, seen: number[], asked(): void }} Reading */

/** @type {Record<string, (reading: Reading) => Promise<void>>} */
const MODES = {
  async raw({ url, seen, asked }) {
    for (let bytes = 0; ; ) {
      asked();
      const answer = await fetch(`${url}&offset=-1&skip=${bytes}&live=raw`);
      const decoder = new TextDecoder();
      for await (const piece of answer.body ?? []) {
        bytes += piece.length;
        note(decoder.decode(piece, { stream: true }), seen);
      }
      if (answer.headers.get('stream-closed') === 'true') return;
    }
  },
  async 'long-poll'({ url, seen, asked }) {
    for (let offset = '-1'; ; ) {
      asked();
      const answer = await fetch(`${url}&offset=${offset}&live=long-poll`);
      note(await answer.text(), seen);
      offset = answer.headers.get('stream-next-offset') ?? offset;
      if (answer.headers.get('stream-closed') === 'true') return;
    }
  },
  async sse({ url, seen, asked }) {
    asked();
    const answer = await fetch(`${url}&offset=-1&live=sse`);
    let text = '';
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events.filter((each) => each.startsWith('event: data')))
        note(Buffer.from(event.replace(/^event: data\n|^data: ?/gm, ''), 'base64').toString(), seen);
    }
  },
};

/** @param {number[]} sorted @param {number} share */
const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-bench-'));
  const upstreamPort = await listen(upstream);
  const program = fileURLToPath(new URL('../dist/sonde.js', import.meta.url));
  const args = ['serve', '--port', '0', '--json', '--auth', 'none'];
  args.push('--proxy-allow', `private:http://127.0.0.1:${upstreamPort}`);
  const server = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const count = { bytes: 0 };
  try {
    const [line] = await once(server.stdout, 'data');
    const { url } = /** @type {{ url: string }} */ (JSON.parse(String(line)));
    const wire = slowWire(Number(new URL(url).port), count);
    const wirePort = await listen(wire);
    console.log(`${TOKENS} tokens, ${SPACING_MS} ms apart, ${ONE_WAY_MS} ms each way; lateness in ms`);
    const [first] = Object.entries(MODES);
    // The first round is only a warm-up.
    for (const [mode, read] of [...(first ? [first] : []), ...Object.entries(MODES)]) {
      const created = await fetch(`${url}/v1/proxy`, {
        method: 'POST',
        headers: { 'upstream-url': `http://127.0.0.1:${upstreamPort}/`, 'upstream-method': 'GET' },
      });
      const location = new URL(created.headers.get('location') ?? '');
      location.port = String(wirePort);
      /** @type {number[]} */
      const seen = [];
      let requests = 0;
      count.bytes = 0;
      await read({ url: location.href, seen, asked: () => requests++ });
      const late = seen.map((at, index) => at - (written[index] ?? 0)).sort((a, b) => a - b);
      const [p50, p99] = [0.5, 0.99].map((share) => quantile(late, share).toFixed(0));
      console.log(
        `  ${mode.padEnd(10)} p50 ${p50}  p99 ${p99}  requests ${requests}  wire bytes ${count.bytes}  tokens ${seen.length}`,
      );
    }
    wire.close();
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
    upstream.closeAllConnections();
    upstream.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
