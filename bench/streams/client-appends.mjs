// Appends of one size, on some connections, to one stream or to one each; for a time or up to a count.
import { createStream } from './client-create.mjs';
import { percentile } from './stats.mjs';
import { request, Wire } from './wire.mjs';

const TYPE = 'application/octet-stream';

/**
 * @typedef {object} Appends
 * @property {number} port
 * @property {string} stream Path of the stream, followed by a number if each connection has its own.
 * @property {boolean} distinct
 * @property {number} connections
 * @property {number} bytes
 * @property {Record<string, string>} [headers]
 * @property {number} [ms]
 * @property {number} [count]
 */

/** @param {Appends} options */
export async function append({ port, stream, distinct, connections, bytes, headers = {}, ms, count }) {
  const wires = Array.from({ length: connections }, () => new Wire(port));
  try {
    const paths = wires.map((_, i) => (distinct ? `${stream}-${i}` : stream));
    const first = wires[0] ?? new Wire(port);
    for (const path of new Set(paths)) await createStream(first, path, { type: TYPE, headers });
    const body = Buffer.alloc(bytes, 'streams benchmark ');
    const requests = paths.map((path) => request('POST', path, { type: TYPE, body, headers }));
    return await drive(wires, requests, { until: ms ?? Number.POSITIVE_INFINITY, left: count });
  } finally {
    await Promise.all(wires.map((wire) => wire.close()));
  }
}

/** @param {Wire[]} wires @param {Buffer[]} requests @param {{ until: number, left: number | undefined }} end */
async function drive(wires, requests, end) {
  /** @type {number[]} */
  const latencies = [];
  let left = end.left ?? Number.POSITIVE_INFINITY;
  const startedAt = performance.now();
  const deadline = startedAt + end.until;

  /** @param {Wire} wire @param {Buffer} bytes @returns {Promise<void>} */
  const loop = (wire, bytes) =>
    new Promise((resolve, reject) => {
      let sentAt = performance.now();
      const next = () => {
        if (left <= 0 || sentAt >= deadline) return resolve();
        left--;
        wire.send(bytes, done, reject);
      };
      /** @param {import('./wire.mjs').Answer} answer */
      const done = ({ status, text }) => {
        if (status !== 204)
          return reject(new Error(`append on port ${wire.socket.remotePort}: ${status} ${text}`));
        const now = performance.now();
        latencies.push(now - sentAt);
        sentAt = now;
        next();
      };
      next();
    });
  await Promise.all(wires.map((wire, i) => loop(wire, requests[i] ?? Buffer.alloc(0))));
  return {
    count: latencies.length,
    perSecond: latencies.length / ((performance.now() - startedAt) / 1000),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  };
}
