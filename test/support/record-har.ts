import { request } from 'node:http';

/**
 * Records a visit in the format of a browser's recorder: one entry per hop, failures with status 0. It uses a real
 * socket and Node's own client, so that the recording is independent of our egress layer.
 */
export async function recordHar(
  urls: readonly string[],
  options: { creator?: string } = {},
): Promise<string> {
  const entries: object[] = [];
  for (const url of urls) {
    let at: string | undefined = url;
    for (let hops = 0; at !== undefined && hops < 15; hops += 1) {
      const entry: { entry: object; next?: string } = await recordEntry(at);
      entries.push(entry.entry);
      at = entry.next;
    }
  }
  const creator = { name: options.creator ?? 'Firefox', version: '140.0' };
  return JSON.stringify({ log: { version: '1.2', creator, pages: [], entries } });
}

function recordEntry(url: string): Promise<{ entry: object; next?: string }> {
  const startedAt = performance.now();
  const base = (response: object) => ({
    startedDateTime: '2026-03-04T05:06:07.008Z',
    time: Math.max(0.1, performance.now() - startedAt),
    request: {
      method: 'GET',
      url,
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'User-Agent', value: 'test' }],
      cookies: [],
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response,
    cache: {},
    timings: { blocked: -1, dns: -1, connect: 1, ssl: -1, send: 0, wait: 2, receive: 1 },
    serverIPAddress: '127.0.0.1',
  });
  return new Promise((resolve) => {
    const failed = () =>
      resolve({
        entry: base({
          status: 0,
          statusText: '',
          httpVersion: '',
          headers: [],
          cookies: [],
          content: { size: 0, mimeType: 'x-unknown' },
          redirectURL: '',
          headersSize: -1,
          bodySize: -1,
          _error: 'net::ERR_CONNECTION_CLOSED',
        }),
      });
    const asked = request(url, { agent: false, headers: { 'user-agent': 'test' } }, (response) => {
      const pieces: Buffer[] = [];
      response.on('error', failed);
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        const bytes = Buffer.concat(pieces);
        const headers: { name: string; value: string }[] = [];
        for (let at = 0; at < response.rawHeaders.length; at += 2) {
          headers.push({ name: response.rawHeaders[at] ?? '', value: response.rawHeaders[at + 1] ?? '' });
        }
        const { location } = response.headers;
        const entry = base({
          status: response.statusCode,
          statusText: response.statusMessage,
          httpVersion: 'HTTP/1.1',
          headers,
          cookies: [],
          content: {
            size: bytes.length,
            mimeType: response.headers['content-type'] ?? '',
            text: bytes.toString('base64'),
            encoding: 'base64',
          },
          redirectURL: location ?? '',
          headersSize: -1,
          bodySize: bytes.length,
        });
        const next = location === undefined ? undefined : new URL(location, url).href;
        resolve({ entry, ...(next !== undefined && { next }) });
      });
    });
    asked.on('error', failed);
    asked.end();
  });
}
