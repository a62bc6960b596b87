/**
 * Turns the result of a stream operation into an HTTP response. If the host gives access to the connection, long and
 * live bodies are written to it directly; otherwise they are web streams with the same bytes.
 */
import { untransformed } from '../../no-transform.js';
import type { LiveSink, StreamBody, StreamResponse } from '../../streams/index.js';
import type { AppContext } from '../app-env.js';

/** A response whose body may already be a web stream, if the operation ran elsewhere. */
export type HostResponse = Omit<StreamResponse, 'body'> & {
  readonly body?: StreamBody | { readonly kind: 'web'; readonly stream: ReadableStream<Uint8Array> };
};

export function streamResponse(c: AppContext, { status, headers, body, error }: HostResponse): Response {
  if (error) {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    throw error;
  }
  if (c.req.method === 'HEAD') return new Response(null, { status, headers });
  if (!body) {
    // Without this header, an empty response would be sent with an unknown length.
    const bare = status === 204 || status === 304 ? headers : { ...headers, 'Content-Length': '0' };
    return new Response(null, { status, headers: bare });
  }
  if (body.kind === 'bytes') return new Response(body.bytes as BodyInit, { status, headers });
  if (body.kind === 'web') return new Response(body.stream, { status, headers: untransformed(headers) });
  const sized = untransformed(
    body.kind === 'pieces' ? { ...headers, 'Content-Length': String(body.length) } : headers,
  );
  const start = starterOf(body);
  if (c.env?.takeOver) {
    c.env.takeOver({ start });
    return new Response(null, { status, headers: sized });
  }
  return new Response(asWebStream(start), { status, headers: sized });
}

/** The function that writes a long or live body to a sink. */
export function starterOf(body: Exclude<StreamBody, { kind: 'bytes' }>): (sink: LiveSink) => void {
  return body.kind === 'pieces' ? (sink) => void pump(body, sink) : body.start;
}

async function pump(body: Extract<StreamBody, { kind: 'pieces' }>, sink: LiveSink): Promise<void> {
  let isClosed = false;
  sink.onClose(() => {
    isClosed = true;
  });
  try {
    for await (const piece of body.pieces()) {
      sink.write(piece);
      if (sink.buffered() > 0) await sink.drained();
      if (isClosed) return;
      if (sink.allLeft?.()) body.release(piece);
    }
    sink.end();
  } catch {
    // The length was already sent, so a response that ends early must not look complete.
    sink.abort();
  }
}

/** For hosts that need a web stream: written bytes are queued until they are pulled. */
function asWebStream(start: (sink: LiveSink) => void): ReadableStream<Uint8Array> {
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
      start({
        write: (bytes) => {
          if (!isOver) controller.enqueue(bytes);
        },
        buffered: () => Math.max(0, -(controller.desiredSize ?? 0)),
        drained: () => (isOver ? Promise.resolve() : new Promise((resolve) => onDrain.push(resolve))),
        end: () => finish(() => controller.close()),
        abort: () => finish(() => controller.error(new Error('the response ended early'))),
        onClose: (act) => void onClose.push(act),
      });
    },
    pull: drain,
    cancel: close,
  });
}
