// A catch-up read: follows Stream-Next-Offset from the start until the answer says it is up to date.
import { header, request, Wire } from './wire.mjs';

/** @param {{ port: number, stream: string }} options */
export async function readStream({ port, stream }) {
  const wire = new Wire(port);
  try {
    let offset = '-1';
    let bytes = 0;
    let requests = 0;
    let firstByteMs = Number.NaN;
    const startedAt = performance.now();
    for (;;) {
      const answer = await wire.ask(request('GET', `${stream}?offset=${encodeURIComponent(offset)}`));
      if (answer.status !== 200) throw new Error(`GET ${stream}: ${answer.status} ${answer.text}`);
      if (requests++ === 0) firstByteMs = answer.firstBodyAt - startedAt;
      bytes += answer.bodyBytes;
      if (header(answer.head, 'stream-up-to-date') === 'true') break;
      const next = header(answer.head, 'stream-next-offset');
      if (next === undefined || next === offset) throw new Error(`GET ${stream}: no way on from ${offset}`);
      offset = next;
    }
    return { bytes, requests, firstByteMs, ms: performance.now() - startedAt };
  } finally {
    await wire.close();
  }
}
