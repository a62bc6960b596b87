import { afterEach, expect, test } from 'vitest';
import { listenHttp } from '../../test/support/listen.js';
import { createOutboundClient } from '../runtimes/node/net.js';
import { createSuiteDeps, type SuiteComposition } from './suite-deps.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Fetches a document of this many bytes through the egress layer of Node, whose own default limit is 10 MB. */
async function fetchOf(status: number, bytes: number) {
  const server = await listenHttp((_request, response) => {
    response.writeHead(status).end(Buffer.alloc(bytes));
  });
  cleanups.push(() => server.close());
  const { egress, close } = createOutboundClient({ allowPrivate: [server.origin] });
  cleanups.push(close);
  const { fetchBytes } = createSuiteDeps({ egress } as unknown as SuiteComposition);
  const url = `${server.origin}/sitemap.xml`;
  const fetched = fetchBytes({ url, headers: [] }, new AbortController().signal);
  // Only the length: a failed assertion would print all bytes.
  return { url, length: fetched.then(({ length }) => length) };
}

test('reads a document of 50 MB', async () => {
  const { length } = await fetchOf(200, 50_000_000);
  expect(await length).toBe(50_000_000);
});

test('rejects a document of one byte more, and names it', async () => {
  const { url, length } = await fetchOf(200, 50_000_001);
  await expect(length).rejects.toMatchObject({
    code: 'response_too_large',
    message: `${url} has more than 50000000 bytes`,
  });
});

test('reports the URL and status of a missing document', async () => {
  const { url, length } = await fetchOf(404, 3);
  await expect(length).rejects.toMatchObject({
    code: 'fetch_error',
    message: `${url} responded with 404`,
  });
});
