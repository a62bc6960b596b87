import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpCacheHtmlValidators } from './http-cache-html-validators.js';

const asked = (revalidationStatus: number | null, etag?: string) =>
  page('/', {
    html: '<p>x</p>',
    headers: [['content-type', 'text/html'], ...(etag ? [['etag', etag] as const] : [])],
    samples: { ttfbMs: [20], revalidationStatus },
  });

it('fires without validators, and if they do not work', () => {
  expect(outcomeOf(httpCacheHtmlValidators, asked(null))).toMatchObject({
    evidence: [{ observed: 'neither header' }],
  });
  expect(outcomeOf(httpCacheHtmlValidators, asked(200, '"a"'))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'status 200 though nothing changed' }],
  });
});

it('stays silent for a 304, and measures only pages that were requested again', () => {
  expect(outcomeOf(httpCacheHtmlValidators, asked(304, '"a"')).status).toBe('pass');
  expect(outcomeOf(httpCacheHtmlValidators, page('/', { html: '<p>x</p>' })).status).toBe('not-measured');
});
