// A catch-up read: follows Stream-Next-Offset from the start until the response reports that it is up to date.
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
      const response = await wire.ask(request('GET', `${stream}?offset=${encodeURIComponent(offset)}`));
      if (response.status !== 200) throw new Error(`GET ${stream}: ${response.status} ${response.text}`);
      if (requests++ === 0) firstByteMs = response.firstBodyAt - startedAt;
      bytes += response.bodyBytes;
      if (header(response.head, 'stream-up-to-date') === 'true') break;
      const next = header(response.head, 'stream-next-offset');
      if (next === undefined || next === offset) throw new Error(`GET ${stream}: stuck at ${offset}`);
      offset = next;
    }
    return { bytes, requests, firstByteMs, ms: performance.now() - startedAt };
  } finally {
    await wire.close();
  }
}
