/**
 * A network in memory. Every judged address responds with the hops of a case, with a real HTTP server on one end of a
 * pair of streams and the real client on the other. It records connections and requests. There is no TLS, because the
 * policy decides before it would begin.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import type { EgressCase } from '../../../net/index.js';
import type { Dialer } from '../egress/dialer.js';

export interface ScriptedDialer extends Dialer {
  readonly connected: readonly string[];
  lastHop(): { method: string; headerNames: string[] } | undefined;
  /** The next request starts at the first hop again. */
  rewind(): void;
}

export function createScriptedDialer(test: EgressCase): ScriptedDialer {
  const connected: string[] = [];
  let last: { method: string; headerNames: string[] } | undefined;
  let hop = 0;

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    last = { method: request.method ?? '', headerNames: Object.keys(request.headers) };
    const scripted = test.hops[hop++];
    if (!scripted) {
      response
        .writeHead(200, { 'content-length': '0', ...(test.newConnection && { connection: 'close' }) })
        .end();
      return;
    }
    const locations = scripted.locations.map(asWireText);
    response.writeHead(scripted.status, {
      'content-length': '0',
      ...(locations.length > 0 && { location: locations as unknown as string }),
    });
    response.end();
  });

  return {
    connected,
    lastHop: () => last,
    rewind() {
      hop = 0;
    },
    async dial({ addresses, judgePeer }) {
      const [address = ''] = addresses;
      connected.push(address);
      judgePeer(address);
      const [client, remote] = duplexPair();
      server.emit('connection', remote);
      return { socket: client, address, connectMs: 0 };
    },
  };
}

/** Header values are sent as Latin-1. Non-ASCII text is sent as its raw UTF-8 bytes, as servers do. */
function asWireText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

class PairEnd extends Duplex {
  other: PairEnd | undefined;
  #resume: (() => void) | undefined;

  override _read(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const { other } = this;
    if (!other || other.destroyed) return done();
    if (other.push(chunk)) done();
    else other.#resume = done;
  }

  override _final(done: () => void): void {
    this.other?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { other } = this;
    if (other && !other.destroyed && !other.readableEnded) other.push(null);
    done(error);
  }
}

function duplexPair(): [Duplex, Duplex] {
  const a = new PairEnd();
  const b = new PairEnd();
  a.other = b;
  b.other = a;
  return [a, b];
}
