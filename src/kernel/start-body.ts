/** Writes the body of a reply that is long or live to a sink. */
import type { LiveSink, StreamBody } from '../streams/index.js';

export function startBody(body: Exclude<StreamBody, { kind: 'bytes' }>, sink: LiveSink): void {
  if (body.kind === 'pieces') void pump(body, sink);
  else body.start(sink);
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
