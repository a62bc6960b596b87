import { expect, test } from 'vitest';
import { createPolicy, type Egress } from '../net/index.js';
import { createSuiteDeps, type SuiteComposition } from './suite-deps.js';

const MEGABYTES_MAX = 50;

/** Fetches a document of this many megabytes and more bytes; only the egress of the dependencies is used. */
async function fetchOf(status: number, megabytes: number, moreBytes = 0) {
  const piece = new Uint8Array(1_000_000);
  let left = megabytes;
  let more = moreBytes;
  const egress: Egress = {
    assurance: 'pinned',
    policy: createPolicy(),
    send: async () => ({
      status,
      headers: [],
      body: {
        async read() {
          if (left-- > 0) return piece;
          const last = more > 0 ? piece.subarray(0, more) : undefined;
          more = 0;
          return last;
        },
        cancel: () => undefined,
      },
      connection: {},
      timings: () => ({}),
    }),
    close: async () => undefined,
  };
  const box = { seal: async (text: string) => text, open: async () => undefined };
  const parts = { egress, box } as unknown as SuiteComposition;
  const { fetchBytes } = createSuiteDeps(parts);
  const request = { url: 'https://www.example.com/sitemap.xml', headers: [] };
  // Only the length: a failed assertion would print all bytes.
  return (await fetchBytes(request, new AbortController().signal)).length;
}

test('reads a document of 50 MB and rejects one byte more', async () => {
  expect(await fetchOf(200, MEGABYTES_MAX)).toBe(50_000_000);
  await expect(fetchOf(200, MEGABYTES_MAX, 1)).rejects.toMatchObject({ code: 'response_too_large' });
});

test('reports the URL and status of a missing document', async () => {
  await expect(fetchOf(404, 0, 3)).rejects.toMatchObject({
    code: 'fetch_error',
    message: 'https://www.example.com/sitemap.xml responded with 404',
  });
});
