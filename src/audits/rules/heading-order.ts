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
    const add = ({ level, text, line }: (typeof headings)[number], observed: string, expected: string) =>
      evidence.push({ url, element: `<h${level}>${text}</h${level}>`, line, observed, expected });
    // The first heading may have any level; h1.single checks for an H1.
    let last = headings[0]?.level ?? 1;
    for (const heading of headings) {
      const { level, text } = heading;
      if (text.trim() === '') add(heading, 'an empty heading', 'a text');
      if (level > last + 1) add(heading, `H${level} after H${last}`, `H${last + 1} or higher`);
      last = level;
    }
    return failIfAny(evidence);
  },
});
