import { pipeline } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenHttp } from '../../test/support/listen.js';
import { createOutboundClient, type OutboundClient } from '../runtimes/node/net.js';
import { fetchWhole } from './fetch-whole.js';

let server: Awaited<ReturnType<typeof listenHttp>>;
let client: OutboundClient;

beforeAll(async () => {
  server = await listenHttp((request, response) => {
    if (request.url === '/endless') {
      const piece = Buffer.alloc(1 << 20);
      const endless = (function* () {
        for (;;) yield piece;
      })();
      return void pipeline(endless, response, () => {});
    }
    if (request.url === '/moved') return void response.writeHead(301, { location: '/document' }).end();
    response.writeHead(request.url === '/document' ? 200 : 203).end('0123456789');
  });
  client = createOutboundClient({ allowPrivate: [server.origin] });
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const fetched = async (path: string, bytesMax: number) =>
  new TextDecoder().decode(await fetchWhole(client.egress, { url: server.origin + path }, bytesMax));

test('returns a document of at most the given size, also after a redirect', async () => {
  expect(await fetched('/document', 10)).toBe('0123456789');
  expect(await fetched('/moved', 11)).toBe('0123456789');
});

test('throws for a larger document', async () => {
  await expect(fetched('/document', 9)).rejects.toMatchObject({
    code: 'response_too_large',
    message: `${server.origin}/document has more than 9 bytes`,
  });
});

test('a document has at most 50 MB unless the caller sets another limit', async () => {
  await expect(fetchWhole(client.egress, { url: `${server.origin}/endless` })).rejects.toMatchObject({
    message: `${server.origin}/endless has more than 50000000 bytes`,
  });
});

test('throws for every status but 200', async () => {
  await expect(fetched('/other', 10)).rejects.toMatchObject({
    code: 'fetch_error',
    message: `${server.origin}/other responded with 203`,
  });
});

test('throws the error of a request that failed', async () => {
  await expect(fetchWhole(client.egress, { url: 'http://127.0.0.2/' })).rejects.toMatchObject({
    code: 'ssrf_blocked',
  });
});
