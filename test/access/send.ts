/** One HTTP exchange as a client of any quality makes it: any method, target and framing, and no redirects. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export type Fields = Readonly<Record<string, string>>;

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Fields;
  readonly body?: string;
  /** `stated`: only the length of the body is sent, and the response must arrive without it. */
  readonly framing?: 'length' | 'chunked' | 'stated';
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty for server-sent events, which never end. */
  readonly text: string;
}

/** Only for hangs. */
const ANSWER_MS = 120_000;

export class Client {
  readonly url: URL;
  readonly #agent: Agent;

  /** workerd closes a connection after a refused body, while the next request is already on its way. */
  constructor(url: string, { keepAlive = true } = {}) {
    this.url = new URL(url);
    this.#agent = new Agent({ keepAlive, maxSockets: 1 });
  }

  send({ method, path, headers = {}, body, framing = 'length' }: Sent): Promise<Received> {
    const { hostname, port } = this.url;
    const bytes = Buffer.byteLength(body ?? '');
    const framed =
      body !== undefined &&
      (framing === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes });
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          hostname,
          port,
          method,
          path,
          headers: { ...headers, ...framed },
          agent: framing === 'stated' ? false : this.#agent,
        },
        (incoming) => {
          const { statusCode: status = 0, headers: received } = incoming;
          const pieces: Buffer[] = [];
          const finish = () => {
            resolve({ status, headers: received, text: Buffer.concat(pieces).toString() });
            if (framing === 'stated') outgoing.destroy();
          };
          incoming.on('error', reject);
          if (received['content-type'] === 'text/event-stream') {
            incoming.destroy();
            return finish();
          }
          incoming.on('data', (piece: Buffer) => pieces.push(piece));
          incoming.on('end', finish);
        },
      );
      outgoing.setTimeout(ANSWER_MS, () => outgoing.destroy(new Error(`${method} ${path} got no response`)));
      outgoing.on('error', reject);
      if (framing === 'stated') outgoing.flushHeaders();
      else outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
