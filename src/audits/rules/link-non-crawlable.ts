/** Checks that everything that acts as a link has a URL. */
import { type Evidence, failIfAny, pageRule } from '../rule.js';

export const linkNonCrawlable = pageRule({
  id: 'link.non-crawlable',
  title: '{n} {page has|pages have} links without a URL',
  passTitle: 'Links have a URL',
  category: 'links',
  severity: 'warn',
  weight: 4,
  why: 'Crawlers, new tabs and screen readers need an href; a click handler only works for clicks.',
  fix: 'Use <a> with a real URL in href, or <button> if it is not a link.',
  on: 'html',
  inputs: { document: ['anchors', 'clickables'] },
  check({ page: { url }, document: { anchors, clickables } }) {
    const expected = '<a> with an address in href';
    const evidence: Evidence[] = [];
    for (const { href, text, line, targetOnly } of anchors) {
      if (href === null && !targetOnly) {
        evidence.push({ url, element: `<a>${text}</a>`, line, observed: 'no href', expected });
      } else if (href !== null && /^\s*javascript:/i.test(href)) {
        evidence.push({
          url,
          element: `<a href="${href}">${text}</a>`,
          line,
          observed: 'a script as its URL',
          expected,
        });
      }
    }
    for (const { html, line } of clickables) {
      evidence.push({ url, element: html, line, observed: 'an element that acts as a link', expected });
    }
    return failIfAny(evidence);
  },
});
