/** Writes the body of a reply that is long or live to a sink. */
import type { LiveSink } from '../streams/index.js';
import type { ReplyBody } from './reply.js';

export type LongBody = Extract<ReplyBody, { kind: 'pieces' | 'live' | 'web' }>;

export function startBody(body: LongBody, sink: LiveSink): void {
  if (body.kind === 'pieces') void pump(body, sink);
  else if (body.kind === 'web') void pumpWeb(body.stream, sink);
  else body.start(sink);
}

async function pump(body: Extract<LongBody, { kind: 'pieces' }>, sink: LiveSink): Promise<void> {
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

async function pumpWeb(stream: ReadableStream<Uint8Array>, sink: LiveSink): Promise<void> {
  const reader = stream.getReader();
  sink.onClose(() => void reader.cancel().catch(() => undefined));
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      sink.write(next.value);
      if (sink.buffered() > 0) await sink.drained();
    }
    sink.end();
  } catch {
    sink.abort();
  }
}
