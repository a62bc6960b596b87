/** A response whose body is written straight to the connection, for as long as its reader stays. */
import type { ServerResponse } from 'node:http';
import type { LiveSink } from '../../../streams/index.js';

export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body's end must be told from a broken connection. */
  readonly framed?: boolean;
}

export function openSink(outgoing: ServerResponse, { status, headers, framed }: AnswerHead): LiveSink {
  if (!framed && !('content-length' in headers) && !('Content-Length' in headers)) {
    // An answer without an end in sight is delimited by its connection's: one write an event, no chunk framing.
    outgoing.shouldKeepAlive = false;
    outgoing.useChunkedEncodingByDefault = false;
  }
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  return {
    write: (bytes) => void outgoing.write(bytes),
    buffered: () => outgoing.writableLength,
    drained: () => drained(outgoing),
    allLeft: () => !outgoing.destroyed && outgoing.writableLength === 0,
    end: () => void outgoing.end(),
    abort: () => breakOff(outgoing),
    // A reader may have gone while its answer was made; its end is then in the past and will not be told again.
    onClose: (act) => void (outgoing.destroyed ? queueMicrotask(act) : outgoing.once('close', act)),
  };
}

/** How long a reader may take for what was written before its answer is broken off. */
const LINGER_MS = 5_000;

/** What was written still goes out: it is true, and a reader that resumes need not ask for it again. */
function breakOff(outgoing: ServerResponse): void {
  if (outgoing.destroyed) return;
  const cut = () => {
    clearTimeout(timer);
    outgoing.destroy();
  };
  const timer = setTimeout(cut, LINGER_MS);
  timer.unref();
  outgoing.write('', cut);
}

function drained(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed || outgoing.writableLength === 0 || !outgoing.writableNeedDrain)
    return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}
