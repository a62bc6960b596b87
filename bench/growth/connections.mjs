// As many readers as a server accepts, and which requests still get through.
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beginRun } from '../streams/processes.mjs';
import { count } from '../streams/stats.mjs';
import { bar, line } from './print.mjs';
import { openGrown } from './server.mjs';

const READERS = [100, 1_000, 9_000];
const OPENED_AT_ONCE = 100;
const TEXT = { 'content-type': 'text/plain' };

export async function measureConnections() {
  const served = [];
  const waits = [];
  let ok = true;
  const seen = [];
  for (const readers of READERS) {
    const server = await openGrown(mkdtempSync(join(beginRun(), 'growth-')), [
      '--connections-max',
      String(readers),
    ]);
    await fetch(`${server.url}v1/stream/s`, { method: 'PUT', headers: TEXT });
    const { hostname, port } = new URL(server.url);
    const request = `GET /v1/stream/s?offset=now&live=sse HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
    /** @type {import('node:net').Socket[]} */
    const sockets = [];
    /** @returns {Promise<string>} */
    const open = () =>
      new Promise((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(request));
        sockets.push(socket);
        socket.once('data', (data) => resolve(String(data).slice(9, 12)));
        socket.once('error', () => resolve('reset'));
        socket.once('close', () => resolve('reset'));
      });
    /** @type {Map<string, number>} */
    const answers = new Map();
    const total = Math.ceil(readers * 1.02);
    for (let n = 0; n < total; n += OPENED_AT_ONCE) {
      const some = await Promise.all(Array.from({ length: Math.min(OPENED_AT_ONCE, total - n) }, open));
      for (const status of some) answers.set(status, (answers.get(status) ?? 0) + 1);
    }
    served.push(answers.get('200') ?? 0);
    const from = performance.now();
    const statuses = [];
    for (const path of ['api/health', 'api/ready']) statuses.push((await fetch(server.url + path)).status);
    statuses.push(
      (await fetch(`${server.url}v1/stream/s`, { method: 'POST', headers: TEXT, body: 'x' })).status,
    );
    waits.push((performance.now() - from) / statuses.length);
    ok &&= statuses.every((status) => status < 300) && (answers.get('reset') ?? 0) === 0;
    seen.push(
      `${[...answers].map(([status, n]) => `${status}: ${n}`).join(', ')}; then ${statuses.join(', ')}`,
    );
    for (const socket of sockets) socket.destroy();
    await server.stop();
  }
  line('readers that are served', served, `(of ${READERS.map(count).join(', ')} connections)`);
  line('health, ready, append beside them, ms', waits);
  bar(ok, `health, ready and an append get in, and nobody is reset (${seen.join(' | ')})`);
}
