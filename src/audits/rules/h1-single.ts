/** Checks that a page has one main heading. Reports one finding per page, however many there are. */
import { fail, pageRule, pass } from '../rule.js';

export const h1Single = pageRule({
  id: 'h1.single',
  title: '{n} {page does|pages do} not have exactly one main heading',
  passTitle: 'Pages have one main heading',
  category: 'content',
  severity: 'warn',
  weight: 4,
  why: 'The main heading names the topic of the page for readers, screen readers and search engines.',
  fix: 'Give the page one <h1>, and make the others <h2>.',
  on: 'html',
  inputs: { document: ['headings'] },
  check({ page: { url }, document: { headings } }) {
    const [first, second, ...others] = headings.filter(({ level }) => level === 1);
    if (!first) return fail({ url, observed: 'no <h1>', expected: 'one <h1>' });
    if (!second) return pass;
    return fail({
      url,
      element: `<h1>${second.text}</h1>`,
      line: second.line,
      observed: `${others.length + 2} <h1> elements`,
      expected: 'one <h1>',
    });
  },
});
