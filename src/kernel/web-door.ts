/** The door for hosts that pass a `Request` and take a `Response`. */

import { SondeError } from '../errors.js';
import type { HeaderPair } from '../net/index.js';
import { concatBytes } from '../net/index.js';
import type { LiveSink, StreamBody } from '../streams/index.js';
import type { Arrived } from './arrived.js';
import type { Door } from './door.js';
import { bodyIncomplete, bodyTooLarge, declaredLength } from './refusals.js';
import type { Reply, SentReply } from './reply.js';
import { startBody } from './start-body.js';

export interface WebPeer {
  readonly peerAddress?: string;
}

/** Undefined if no operation has the path of the request. */
export function respondToRequest(
  door: Door,
  request: Request,
  peer: WebPeer = {},
): Promise<Response> | undefined {
  return door(new WebArrival(request, peer.peerAddress))?.then(responseOf);
}

class WebArrival implements Arrived {
  readonly method: string;
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly peerAddress: string | undefined;
  readonly #request: Request;

  constructor(request: Request, peerAddress: string | undefined) {
    const { protocol, host, pathname, search } = new URL(request.url);
    this.#request = request;
    this.method = request.method;
    this.scheme = protocol.slice(0, -1);
    this.authority = host;
    this.path = pathname;
    this.query = search.slice(1);
    this.peerAddress = peerAddress;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  header(name: string): string | null {
    return this.#request.headers.get(name);
  }

  headers(): readonly HeaderPair[] {
    return [...this.#request.headers];
  }

  async bytes(bytesMax: number): Promise<Uint8Array> {
    if (declaredLength((name) => this.header(name)) === undefined) {
      const pieces: Uint8Array[] = [];
      for await (const piece of this.pieces(bytesMax)) pieces.push(piece);
      return concatBytes(pieces);
    }
    try {
      return new Uint8Array(await this.#request.arrayBuffer());
    } catch (thrown) {
      throw bodyIncomplete(thrown);
    }
  }

  async *pieces(bytesMax: number): AsyncGenerator<Uint8Array> {
    const reader = this.#request.body?.getReader();
    let length = 0;
    try {
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
        length += next.value.byteLength;
        if (length > bytesMax) throw bodyTooLarge(bytesMax);
        yield next.value;
      }
    } catch (thrown) {
      throw thrown instanceof SondeError ? thrown : bodyIncomplete(thrown);
    } finally {
      // Whoever reads may stop before the end.
      reader?.cancel().catch(() => undefined);
    }
  }
}

/** For routes of the app. */
export function toResponse({ body, ...head }: Reply): Response {
  if (body?.kind === 'json') return Response.json(body.value, head);
  return responseOf({ ...head, headers: { ...head.headers }, ...(body && { body }) });
}

function responseOf({ status, headers, body }: SentReply): Response {
  if (body === undefined) {
    const bare = new Headers(headers);
    // Without this header, an empty response would be sent with an unknown length.
    if (status !== 204 && status !== 304 && !bare.has('content-length')) bare.set('Content-Length', '0');
    return new Response(null, { status, headers: bare });
  }
  switch (body.kind) {
    case 'bytes':
      return new Response(body.bytes as BodyInit, { status, headers });
    case 'text':
      return new Response(body.text, { status, headers });
    case 'web':
      return new Response(body.stream, { status, headers });
    default:
      return new Response(asWebStream(body), { status, headers });
  }
}

/** Written bytes are queued until they are pulled. */
function asWebStream(body: Exclude<StreamBody, { kind: 'bytes' }>): ReadableStream<Uint8Array> {
  const onDrain: (() => void)[] = [];
  const onClose: (() => void)[] = [];
  const drain = () => {
    for (const act of onDrain.splice(0)) act();
  };
  const close = () => {
    for (const act of onClose.splice(0)) act();
    drain();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let isOver = false;
      const finish = (act: () => void) => {
        if (isOver) return;
        isOver = true;
        act();
        close();
      };
      const sink: LiveSink = {
        write: (bytes) => {
          if (!isOver) controller.enqueue(bytes);
        },
        buffered: () => Math.max(0, -(controller.desiredSize ?? 0)),
        drained: () => (isOver ? Promise.resolve() : new Promise((resolve) => onDrain.push(resolve))),
        end: () => finish(() => controller.close()),
        abort: () => finish(() => controller.error(new Error('the response ended early'))),
        onClose: (act) => void onClose.push(act),
      };
      startBody(body, sink);
    },
    pull: drain,
    cancel: close,
  });
}
