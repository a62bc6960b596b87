/**
 * Turns a long or live body into a native stream. A write resolves when the reader has taken it, so the buffered size
 * is known, and a disconnected reader is detected at the next write or notification. A response with a known length
 * that ends early breaks its connection. Without a length that is impossible: the platform ends a chunked response
 * whose stream failed as if it were complete (docs/decisions/edge.md, 0040).
 */
import { startBody } from '../../../kernel/start-body.js';
import type { LiveSink, StreamBody } from '../../../streams/index.js';

export interface KnownReader {
  /** Aborted when the reader is known to have left, possibly before the next write. */
  readonly gone: AbortSignal;
  onClose(): void;
}

interface LiveOptions {
  /** For a live body: the Content-Length of the upstream response. */
  readonly length: string | undefined;
  readonly reader: KnownReader | undefined;
}

export function bodyStreamOf(
  body: Exclude<StreamBody, { kind: 'bytes' }>,
  { length, reader }: LiveOptions,
): ReadableStream<Uint8Array> {
  const known = body.kind === 'pieces' ? body.length : length;
  const { readable, writable } =
    known === undefined ? new IdentityTransformStream() : new FixedLengthStream(Number(known));
  const sink = sinkOf(writable.getWriter());
  if (reader) sink.onClose(reader.onClose);
  startBody(body, sink);
  // The reader may have left before the first write.
  if (reader?.gone.aborted) sink.abort();
  else reader?.gone.addEventListener('abort', sink.abort, { once: true });
  return readable;
}

function sinkOf(writer: WritableStreamDefaultWriter<Uint8Array>): LiveSink {
  const onDrain: (() => void)[] = [];
  const onClose: (() => void)[] = [];
  let waiting = 0;
  let isOver = false;
  const drain = () => {
    for (const act of onDrain.splice(0)) act();
  };
  const finish = (last?: Promise<void>) => {
    // This fails if the reader has already left.
    last?.catch(() => {});
    if (isOver) return;
    isOver = true;
    for (const act of onClose.splice(0)) act();
    drain();
  };
  writer.closed.catch(() => finish());
  return {
    write(bytes) {
      if (isOver || bytes.length === 0) return;
      waiting += bytes.length;
      const left = () => {
        waiting -= bytes.length;
        if (waiting === 0) drain();
      };
      writer.write(bytes).then(left, () => finish());
    },
    buffered: () => waiting,
    drained: () =>
      isOver || waiting === 0 ? Promise.resolve() : new Promise((resolve) => onDrain.push(resolve)),
    end: () => finish(isOver ? undefined : writer.close()),
    abort: () => finish(isOver ? undefined : writer.abort(new Error('the response ended early'))),
    onClose: (act) => void onClose.push(act),
  };
}
