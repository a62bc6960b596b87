// The requests whose processor time is measured, 32 at once with one in flight on each connection.
import { createStream } from '../streams/client-create.mjs';
import { request, Wire } from '../streams/wire.mjs';

/** @typedef {import('../credentials.mjs').Credential} Credential */
/**
 * @typedef {object} Work
 * @property {number} status What every response has.
 * @property {string} bearerHeader
 * @property {(at: { wire: number, headers: Record<string, string> }) => Buffer} request
 */

const CONNECTIONS = 32;
const STREAM_TYPE = 'application/octet-stream';
const RECORD = Buffer.alloc(100, 'processor time ');
const PROMPT = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] }));

/** @param {number} wire */
const streamOf = (wire) => `/v1/stream/cpu-${wire}`;
/** @type {Work['request']} */
const complete = ({ headers }) =>
  request('POST', '/r/up/v1/chat/completions', { type: 'application/json', body: PROMPT, headers });
let keys = 0;

/** @type {Record<string, Work>} */
export const WORK = {
  append: {
    status: 204,
    bearerHeader: 'Authorization',
    request: ({ wire, headers }) =>
      request('POST', streamOf(wire), { type: STREAM_TYPE, body: RECORD, headers }),
  },
  proxied: { status: 200, bearerHeader: 'Sonde-Authorization', request: complete },
  keyed: {
    status: 200,
    bearerHeader: 'Sonde-Authorization',
    request: ({ wire, headers }) =>
      complete({ wire, headers: { ...headers, 'Idempotency-Key': `cpu-${process.pid}-${keys++}` } }),
  },
  json: {
    status: 200,
    bearerHeader: 'Authorization',
    request: ({ headers }) => request('GET', '/api/jobs?limit=10', { headers }),
  },
};

/** Creates the streams of the appends. @param {number} port @param {Credential} credential */
export async function prepare(port, credential) {
  const wire = new Wire(port);
  try {
    const headers = headersOf('Authorization', credential);
    for (let n = 0; n < CONNECTIONS; n++)
      await createStream(wire, streamOf(n), { type: STREAM_TYPE, headers });
  } finally {
    await wire.close();
  }
}

/** Connections with one credential to one server. */
export class Sender {
  #port;
  #credential;
  /** @type {Wire[]} */
  #wires = [];

  /** @param {number} port @param {Credential} credential */
  constructor(port, credential) {
    this.#port = port;
    this.#credential = credential;
  }

  /**
   * Connects, and sends a request on each connection. Connections are short-lived, because a server closes those that
   * are idle for seconds.
   * @param {Work} work
   */
  async open(work) {
    this.#wires = Array.from({ length: CONNECTIONS }, () => new Wire(this.#port));
    await this.send(work, CONNECTIONS);
  }

  /** @param {Work} work @param {number} count */
  async send(work, count) {
    const headers = headersOf(work.bearerHeader, this.#credential);
    let left = count;
    /** @param {Wire} wire @param {number} n */
    const loop = async (wire, n) => {
      while (left-- > 0) {
        const { status, text } = await wire.ask(work.request({ wire: n, headers }));
        if (status !== work.status) throw new Error(`${this.#credential.name}: ${status} ${text}`);
      }
    };
    await Promise.all(this.#wires.map(loop));
  }

  async close() {
    await Promise.all(this.#wires.map((wire) => wire.close()));
  }
}

/** @param {string} bearerHeader @param {Credential} credential @returns {Record<string, string>} */
function headersOf(bearerHeader, { bearer, headers }) {
  return { ...headers, ...(bearer && { [bearerHeader]: `Bearer ${bearer}` }) };
}
