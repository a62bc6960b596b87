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
    const evidence: Evidence[] = [];
    const add = (element: string, line: number, observed: string) =>
      evidence.push({ url, element, line, observed, expected: '<a> with an address in href' });
    for (const { href, text, line, targetOnly } of anchors) {
      if (href === null && !targetOnly) add(`<a>${text}</a>`, line, 'no href');
      else if (href !== null && /^\s*javascript:/i.test(href))
        add(`<a href="${href}">${text}</a>`, line, 'a script as its URL');
    }
    for (const { html, line } of clickables) add(html, line, 'an element that acts as a link');
    return failIfAny(evidence);
  },
});
