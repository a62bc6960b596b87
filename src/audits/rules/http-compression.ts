/** Checks that text is sent compressed. */
import { headerOf, mediaTypeOf } from '../facts/fetch-facts.js';
import { fail, notApplicable, pageRule, pass } from '../rule.js';

/** Below this, a compressed response needs the same number of packets. */
const WORTH_BYTES = 1_400;
const CODINGS = new Set(['br', 'zstd', 'gzip', 'x-gzip', 'deflate']);
const TEXT = /^text\/|[/+](?:json|xml|javascript|ecmascript)$/;

export const httpCompression = pageRule({
  id: 'http.compression',
  title: '{n} {page is|pages are} sent uncompressed',
  passTitle: 'Pages are sent compressed',
  category: 'perf',
  severity: 'warn',
  weight: 5,
  why: 'Compression shrinks HTML to about a quarter of its size on every visit.',
  fix: 'Enable br, zstd or gzip for text types.',
  on: 'response',
  inputs: { page: ['fetch'] },
  check({ page: { url, fetch } }) {
    const { status, bodyBytes } = fetch;
    if (status !== 200 || bodyBytes === null || !TEXT.test(mediaTypeOf(fetch)))
      return notApplicable('the response is not text');
    if (bodyBytes <= WORTH_BYTES) return notApplicable('the response is too short to benefit');
    const coding = headerOf(fetch, 'content-encoding')?.trim().toLowerCase() ?? '';
    if (CODINGS.has(coding)) return pass;
    return fail({
      url,
      element: 'Content-Encoding',
      observed: coding === '' ? 'sent uncompressed' : `sent with the coding ${coding}`,
      expected: 'br, zstd or gzip',
    });
  },
});
