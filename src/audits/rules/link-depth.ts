/** Checks that pages are only a few clicks from the home page. */
import { failIfAny, notApplicable, siteRule } from '../rule.js';

const CLICKS_MAX = 4;

export const linkDepth = siteRule({
  id: 'link.depth',
  title: '{n} {page is|pages are} more than four clicks from the home page',
  passTitle: 'Pages are at most four clicks from home',
  category: 'links',
  severity: 'info',
  weight: 3,
  why: 'The deeper a page is, the fewer readers and crawlers reach it.',
  fix: 'Link to it from a page closer to the home page.',
  perPage: true,
  inputs: { pages: ['depth'] },
  check({ pages }) {
    const reached = pages.filter(({ depth }) => depth !== null);
    if (reached.length < 2) return notApplicable('there are no links to follow');
    return failIfAny(
      reached
        .filter(({ depth }) => Number(depth) > CLICKS_MAX)
        .map(({ url, depth }) => ({
          url,
          observed: `${depth} clicks from the home page`,
          expected: `at most ${CLICKS_MAX}`,
        })),
      { of: reached.length },
    );
  },
});
