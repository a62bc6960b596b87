/** Checks that a page responds either with or without its trailing slash, not both. */
import { failIfAny, notApplicable, siteRule } from '../rule.js';

export const httpTrailingSlashDup = siteRule({
  id: 'http.trailing-slash-dup',
  title: '{n} {page responds|pages respond} both with and without a trailing slash',
  passTitle: 'Pages respond either with or without a trailing slash',
  category: 'crawl',
  severity: 'info',
  weight: 3,
  why: 'With and without the slash are two URLs; if both return the page, its links are split between them.',
  fix: 'Pick one form and redirect the other to it.',
  inputs: { site: ['probes', 'responses'] },
  check({ site: { probes, responses } }) {
    const { slashVariants } = probes;
    if (probes.notFound?.status === 200)
      return notApplicable('the site returns a page for every path, which another rule reports');
    if (slashVariants.length === 0) return notApplicable('no page has such a variant');
    const twins = slashVariants.filter(({ pageUrl, variant }) => {
      const page = responses.get(pageUrl);
      const isPage = variant.status === 200 && variant.redirects.length === 0;
      return isPage && variant.bodySha256 !== null && variant.bodySha256 === page?.bodySha256;
    });
    return failIfAny(
      twins.map(({ pageUrl, variant }) => ({
        url: variant.url,
        observed: 'status 200 with the same content',
        expected: `a redirect to ${pageUrl}`,
        related: [pageUrl],
      })),
    );
  },
});
