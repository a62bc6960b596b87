/** The thread that renders reports. It gets their text piece by piece, and sends the result without copying it. */
import { parentPort } from 'node:worker_threads';
import { renderStored } from '../../../audits/index.js';
import type { FromReports, ToReports } from './report-thread.js';

if (!parentPort) throw new Error('the report worker runs in a worker thread');
const port = parentPort;
const encoder = new TextEncoder();
const CHUNK_CHARS = 1024 * 1024;

/** One request is sent at a time. */
let texts: string[][] = [];

port.on('message', (message: ToReports) => {
  if (message.kind === 'piece') {
    const text = texts[message.text] ?? [];
    texts[message.text] = text;
    text.push(message.piece);
    return;
  }
  const given = texts;
  texts = [];
  try {
    const chunks = encode(
      renderStored(
        message.rendering,
        given.map((pieces) => pieces.join('')),
      ),
    );
    port.postMessage(
      { chunks } satisfies FromReports,
      chunks.map(({ buffer }) => buffer as ArrayBuffer),
    );
  } catch (thrown) {
    port.postMessage({
      failed: thrown instanceof Error ? thrown.message : String(thrown),
    } satisfies FromReports);
  }
});

function encode(pieces: Iterable<string>): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let waiting = '';
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < CHUNK_CHARS) continue;
    chunks.push(encoder.encode(waiting));
    waiting = '';
  }
  if (waiting !== '') chunks.push(encoder.encode(waiting));
  return chunks;
}
