/** Checks that an unchanged page is not sent again in full. */
import { headerOf } from '../facts/fetch-facts.js';
import { fail, notMeasured, pageRule, pass } from '../rule.js';

export const httpCacheHtmlValidators = pageRule({
  id: 'http.cache-html-validators',
  title: '{n} unchanged {page is|pages are} sent again in full',
  passTitle: 'Unchanged pages return 304',
  category: 'perf',
  severity: 'info',
  weight: 2,
  why: 'With ETag or Last-Modified a second visit, and every crawl, costs next to nothing.',
  fix: 'Send ETag or Last-Modified, and return 304 for a matching conditional request.',
  on: 'html',
  inputs: { page: ['fetch', 'samples'] },
  check({ page: { url, fetch, samples } }) {
    if (!samples) return notMeasured('the page was not among those requested again');
    const validator = headerOf(fetch, 'etag') ?? headerOf(fetch, 'last-modified');
    if (samples.revalidationStatus === 304) return pass;
    return fail({
      url,
      element: 'ETag, Last-Modified',
      observed:
        validator === null
          ? 'neither header'
          : `status ${samples.revalidationStatus ?? 'unknown'} though nothing changed`,
      expected: 'a validator, and 304 for it',
    });
  },
});
