/** Writes the body of a response directly to its connection, while the reader stays. */
import type { ServerResponse } from 'node:http';
import type { LiveSink, StreamResponse } from '../../../streams/index.js';

/** Without a length the body is chunked, so that its end can be distinguished from a crash of the server. */
export function openSink(
  outgoing: ServerResponse,
  { status, headers }: Pick<StreamResponse, 'status' | 'headers'>,
): LiveSink {
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  return {
    write: (bytes) => void outgoing.write(bytes),
    buffered: () => outgoing.writableLength,
    drained: () => drained(outgoing),
    allLeft: () => !outgoing.destroyed && outgoing.writableLength === 0,
    end: () => void outgoing.end(),
    abort: () => abortAfterWrites(outgoing),
    // If the reader has already left, there will be no 'close' event.
    onClose: (act) => void (outgoing.destroyed ? queueMicrotask(act) : outgoing.once('close', act)),
  };
}

/** How long a reader may take to read what was written before its response is aborted. */
const LINGER_MS = 5_000;

/** Bytes that were already written are still sent, so that a reader that resumes need not fetch them again. */
function abortAfterWrites(outgoing: ServerResponse): void {
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
