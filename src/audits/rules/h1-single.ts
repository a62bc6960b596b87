/** One main heading a page. */
import { failIfAny, pageRule } from '../rule.js';

export const h1Single = pageRule({
  id: 'h1.single',
  title: '{n} {page does|pages do} not have exactly one main heading',
  passTitle: 'Pages have one main heading',
  category: 'content',
  severity: 'warn',
  weight: 4,
  levels: 1,
  why: 'The H1 says what the page is about, to readers, screen readers and engines alike.',
  fix: 'Give the page one <h1>, and make the others <h2>.',
  on: 'html',
  inputs: { document: ['headings'] },
  check({ page: { url }, document: { headings } }) {
    const [first, ...others] = headings.filter(({ level }) => level === 1);
    if (!first) return failIfAny([{ url, observed: 'no <h1>', expected: 'one <h1>' }]);
    return failIfAny(
      others.map(({ text, line }) => ({
        url,
        element: `<h1>${text}</h1>`,
        line,
        observed: `a further <h1> beside "${first.text}"`,
        expected: 'one <h1>',
      })),
    );
  },
});
