/** Checks that no element ends the head too early. */
import { failIfAny, pageRule } from '../rule.js';

export const idxHeadBroken = pageRule({
  id: 'idx.head-broken',
  title: '{n} {page has|pages have} elements that end the head too early',
  passTitle: 'The head is not ended early',
  category: 'index',
  severity: 'error',
  weight: 7,
  why: 'An element that is not allowed in the head ends it; canonical, robots and hreflang after it are ignored.',
  fix: 'Move the element into the body.',
  on: 'html',
  inputs: { document: ['head'] },
  check({ page: { url }, document: { head } }) {
    const by = head.closedBy;
    if (!by) return failIfAny([]);
    return failIfAny(
      head.misplaced.map(({ html, line }) => ({
        url,
        element: html,
        line,
        observed: `ignored: ${by.html} on line ${by.line} ended the head`,
        expected: 'inside the head',
      })),
    );
  },
});
