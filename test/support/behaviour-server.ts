import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type Listening, listenHttp } from './listen.js';

export const TEXT = 'one measured sentence, many times over. '.repeat(500);
/** How long `/late` takes to respond. */
export const LATE_MS = 50;

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const coded =
  (coding: string, bytes: Uint8Array): Behaviour =>
  (_request, response) =>
    void response.writeHead(200, { 'content-encoding': coding }).end(bytes);

/** One path per behaviour; all engines of the egress port run against these. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  '/plain': (_request, response) => void response.setHeader('content-type', 'text/plain').end(TEXT),
  '/late': (_request, response) => void setTimeout(() => response.end(TEXT), LATE_MS),
  '/empty': (_request, response) => void response.writeHead(204).end(),
  '/missing': (_request, response) => void response.writeHead(404).end('not here'),
  '/repeated': (_request, response) =>
    void response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'], 'x-one': 'yes' }).end(),
  '/gzip': coded('gzip', gzipSync(TEXT)),
  '/x-gzip': coded('x-gzip', gzipSync(TEXT)),
  '/br': coded('br', brotliCompressSync(TEXT)),
  '/deflate': coded('deflate', deflateSync(TEXT)),
  '/raw-deflate': coded('deflate', deflateRawSync(TEXT)),
  '/identity': coded('identity', Buffer.from(TEXT)),
  '/coded-empty': coded('gzip', Buffer.alloc(0)),
  '/coded-broken': coded('gzip', gzipSync(TEXT).subarray(0, 60)),
  '/coded-junk': coded('br', Buffer.from('this is no brotli')),
  '/coded-twice': coded('gzip, br', brotliCompressSync(gzipSync(TEXT))),
  '/coded-unknown': coded('zstd', Buffer.from('whatever')),
  '/echo': (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method, headers, url } = request;
      response.end(JSON.stringify({ method, headers, url, body: Buffer.concat(pieces).toString() }));
    });
  },
  '/truncated': (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('half of', () => response.socket?.end());
  },
  '/reset': (_request, response) => {
    // If it were reset in the same turn, the kernel might report an ordinary end to the client.
    response.writeHead(200, { 'content-length': '1000' }).write('half of');
    setTimeout(() => response.socket?.resetAndDestroy(), 50);
  },
  '/hang-up': (_request, response) => response.socket?.destroy(),
  '/never': () => {},
  '/drip': (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('drip'), 5);
    response.on('close', () => clearInterval(timer));
  },
};

export function startBehaviourServer(): Promise<Listening> {
  return listenHttp((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const to = /^\/redirect\/(\d+)/.exec(path);
    if (to) {
      const location = new URL(request.url ?? '', 'http://localhost').searchParams.get('to');
      return response.writeHead(Number(to[1]), location === null ? {} : { location }).end('moved');
    }
    const behave = BEHAVIOURS[path];
    return behave ? behave(request, response) : response.writeHead(404).end();
  });
}
