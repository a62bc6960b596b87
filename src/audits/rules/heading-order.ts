/** Checks that headings form an outline: no level is skipped, and none is empty. */
import { type Evidence, failIfAny, notApplicable, pageRule } from '../rule.js';

export const headingOrder = pageRule({
  id: 'heading.order',
  title: '{n} {page skips heading levels or has|pages skip heading levels or have} empty headings',
  passTitle: 'Headings form an outline',
  category: 'content',
  severity: 'info',
  weight: 2,
  why: 'Screen reader users navigate by headings; a skipped level or an empty heading misleads them.',
  fix: 'Go down one level at a time, and give every heading text.',
  on: 'html',
  inputs: { document: ['headings'] },
  check({ page: { url }, document: { headings } }) {
    if (headings.length === 0) return notApplicable('the page has no headings');
    const evidence: Evidence[] = [];
    // The first heading may have any level; h1.single checks for an H1.
    let last = headings[0]?.level ?? 1;
    for (const { level, text, line } of headings) {
      const element = `<h${level}>${text}</h${level}>`;
      if (text.trim() === '')
        evidence.push({ url, element, line, observed: 'an empty heading', expected: 'a text' });
      if (level > last + 1) {
        evidence.push({
          url,
          element,
          line,
          observed: `H${level} after H${last}`,
          expected: `H${last + 1} or higher`,
        });
      }
      last = level;
    }
    return failIfAny(evidence);
  },
});
