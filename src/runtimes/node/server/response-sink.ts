/** A response whose body is written straight to the connection, for as long as its reader stays. */
import type { ServerResponse } from 'node:http';
import type { LiveSink } from '../../../streams/index.js';

export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Without a length the body is chunked, so that its end differs from a server that died. */
export function openSink(outgoing: ServerResponse, { status, headers }: ResponseHead): LiveSink {
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  return {
    write: (bytes) => void outgoing.write(bytes),
    buffered: () => outgoing.writableLength,
    drained: () => drained(outgoing),
    allLeft: () => !outgoing.destroyed && outgoing.writableLength === 0,
    end: () => void outgoing.end(),
    abort: () => breakOff(outgoing),
    // A reader may have left while its response was made; the event is then in the past and will not come again.
    onClose: (act) => void (outgoing.destroyed ? queueMicrotask(act) : outgoing.once('close', act)),
  };
}

/** How long a reader may take for what was written before its response is aborted. */
const LINGER_MS = 5_000;

/** Bytes already written are still sent: they are valid, and a reader that resumes need not fetch them again. */
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
