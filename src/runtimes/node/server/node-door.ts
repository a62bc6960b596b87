/**
 * The door on Node. It passes a parsed request to the door and writes the reply with one `writeHead`, without
 * web-standard objects, which cost more than an append (`docs/decisions/0140-one-door.md`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Arrived } from '../../../kernel/arrived.js';
import type { Door } from '../../../kernel/door.js';
import type { SentReply } from '../../../kernel/reply.js';
import { startBody } from '../../../kernel/start-body.js';
import type { HeaderPair } from '../../../net/index.js';
import { tryUrl } from '../../../try-url.js';
import { peerAddressOf } from './peer-address.js';
import { readBody, readPieces } from './read-body.js';
import { openSink } from './response-sink.js';

/** Undefined if no operation has the path of the request. */
export type NodeDoor = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> | undefined;

export function createNodeDoor(door: Door): NodeDoor {
  return (incoming, outgoing) => {
    const replied = door(new NodeArrival(incoming, outgoing));
    return replied?.then((reply) => write(reply, incoming, outgoing));
  };
}

/** Paths that every URL parser leaves unchanged: no dot segments, nothing to escape. */
const PLAIN_TARGET = /^\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*(?:\?[^#]*)?$/i;
const DOTS = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;
const ABSOLUTE = /^https?:\/\//i;

class NodeArrival implements Arrived {
  readonly scheme = 'http';
  readonly method: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.method = incoming.method ?? '';
    const { authority, target } = readTarget(incoming);
    const mark = target.indexOf('?');
    this.authority = authority;
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
  }

  get peerAddress(): string | undefined {
    return peerAddressOf(this.#incoming);
  }

  /** Created only for the few calls that wait. */
  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#outgoing);
    return this.#signal;
  }

  header(name: string): string | null {
    const value = this.#incoming.headers[name];
    return (typeof value === 'string' ? value : value?.join(', ')) ?? null;
  }

  headers(): readonly HeaderPair[] {
    const { headersDistinct } = this.#incoming;
    return Object.keys(headersDistinct)
      .sort()
      .map((name) => [name, (headersDistinct[name] ?? []).join(name === 'cookie' ? '; ' : ', ')]);
  }

  bytes(bytesMax: number): Promise<Uint8Array> {
    return readBody(this.#incoming, bytesMax);
  }

  pieces(bytesMax: number): AsyncIterableIterator<Uint8Array> {
    return readPieces(this.#incoming, bytesMax);
  }
}

function signalOf(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (outgoing.destroyed) gone.abort();
  // Aborting after every response would cost an exception and an event each time.
  else outgoing.once('close', () => outgoing.writableFinished || gone.abort());
  return gone.signal;
}

/** The host, and the path with its query as a URL has them. An unusual target is parsed as a URL is. */
function readTarget({ url = '', headers }: IncomingMessage): { authority: string; target: string } {
  const authority = headers.host ?? '';
  if (PLAIN_TARGET.test(url) && !DOTS.test(url)) return { authority, target: url };
  const isAbsolute = ABSOLUTE.test(url);
  const [path = ''] = url.split('?', 1);
  // URL parsers turn a backslash into a slash, other servers on the way do not.
  const parsed = path.includes('\\') ? undefined : tryUrl(isAbsolute ? url : `http://host${url}`);
  if (!parsed || !(isAbsolute || url.startsWith('/'))) return { authority: '', target: url };
  return { authority: isAbsolute ? parsed.host : authority, target: parsed.pathname + parsed.search };
}

function write(
  { status, headers, body }: SentReply,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (body === undefined || body.kind === 'bytes' || body.kind === 'text') {
    const bytes =
      body === undefined ? undefined : body.kind === 'bytes' ? body.bytes : Buffer.from(body.text);
    // 204 and 304 have no length, and for HEAD the length of the body is unknown.
    const mayHaveLength = bytes || (status !== 204 && status !== 304 && incoming.method !== 'HEAD');
    if (mayHaveLength && headers['content-length'] === undefined)
      headers['Content-Length'] = String(bytes?.length ?? 0);
    outgoing.writeHead(status, headers);
    outgoing.end(bytes);
  } else {
    startBody(body, openSink(outgoing, { status, headers }));
  }
  if (!incoming.complete) drain(incoming);
}

/** How long the rest of a request's body may take to arrive after its response, before its connection is closed. */
const DRAIN_MS = 500;

/** A connection can be used again only once the whole request was read. */
function drain(incoming: IncomingMessage): void {
  const timer = setTimeout(() => incoming.socket.destroySoon(), DRAIN_MS);
  timer.unref();
  incoming.once('close', () => clearTimeout(timer));
  incoming.resume();
}
