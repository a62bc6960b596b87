/** Checks that a path that does not exist returns 404 or 410. */
import { fail, notMeasured, pass, siteRule } from '../rule.js';

export const httpSoft404 = siteRule({
  id: 'http.soft-404',
  title: 'Missing pages return 200 instead of 404',
  passTitle: 'Missing pages return 404',
  category: 'crawl',
  severity: 'warn',
  weight: 5,
  why: 'If every wrong address returns 200, search engines index error pages and broken links go unnoticed.',
  fix: 'Send status 404 (or 410) with the error page.',
  inputs: { site: ['probes'] },
  check({ site: { probes } }) {
    const { notFound } = probes;
    if (!notFound || notFound.status === null)
      return notMeasured('the request for a missing page got no response');
    if (notFound.status !== 200) return pass;
    return fail({
      url: notFound.url,
      observed: 'status 200',
      expected: 'status 404 or 410 for a path that does not exist',
      ...(notFound.redirects.length > 0 && { related: notFound.redirects.map(({ toUrl }) => toUrl) }),
    });
  },
});
