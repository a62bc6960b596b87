/**
 * A long or live body as a native stream. Each write resolves when the reader has taken it, so what is buffered
 * is known, and a disconnected reader is noticed at the next write or notification. A response of known length that
 * ends early breaks its connection; one without cannot: the platform ends a chunked response whose stream failed as if
 * it were whole (docs/decisions/0040-edge-objects.md).
 */
import { starterOf } from '../../../api/routes/stream-response.js';
import type { LiveSink, StreamBody } from '../../../streams/index.js';

export interface KnownReader {
  /** Aborted when the reader has left, where that is known before the next write. */
  readonly gone: AbortSignal;
  onClose(): void;
}

interface LiveOptions {
  /** Of a live body: the length that the upstream of a proxied response gave, as its header says it. */
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
  starterOf(body)(sink);
  // It may have gone before there was anything to write to it.
  if (reader?.gone.aborted) sink.abort();
  else reader?.gone.addEventListener('abort', sink.abort, { once: true });
  return readable;
}

function sinkOf(writer: WritableStreamDefaultWriter<Uint8Array>): LiveSink {
  const onDrain: (() => void)[] = [];
  const onClose: (() => void)[] = [];
  let waiting = 0;
  let over = false;
  const drain = () => {
    for (const act of onDrain.splice(0)) act();
  };
  const finish = (last?: Promise<void>) => {
    // The reader may already have left; then there is no one to notify.
    last?.catch(() => {});
    if (over) return;
    over = true;
    for (const act of onClose.splice(0)) act();
    drain();
  };
  writer.closed.catch(() => finish());
  return {
    write(bytes) {
      if (over || bytes.length === 0) return;
      waiting += bytes.length;
      const left = () => {
        waiting -= bytes.length;
        if (waiting === 0) drain();
      };
      writer.write(bytes).then(left, () => finish());
    },
    buffered: () => waiting,
    drained: () =>
      over || waiting === 0 ? Promise.resolve() : new Promise((resolve) => onDrain.push(resolve)),
    end: () => finish(over ? undefined : writer.close()),
    abort: () => finish(over ? undefined : writer.abort(new Error('the response ended early'))),
    onClose: (act) => void onClose.push(act),
  };
}
