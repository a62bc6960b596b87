/** Checks that a page has exactly one title, with text, in the head. */
import { type Evidence, failIfAny, pageRule } from '../rule.js';

export const titlePresent = pageRule({
  id: 'title.present',
  title: '{n} {page does|pages do} not have exactly one title',
  passTitle: 'Every page has exactly one title',
  category: 'content',
  severity: 'error',
  weight: 8,
  why: 'The title is the headline of a search result and of a browser tab; without one, search engines make one up.',
  fix: 'Put one <title> with text into the <head>.',
  on: 'html',
  inputs: { document: ['titles'] },
  check({ page: { url }, document: { titles } }) {
    const expected = 'one <title> with text in the head';
    const [first, ...others] = titles.filter(({ inHead }) => inHead);
    const evidence: Evidence[] = others.map(({ text, line }) => ({
      url,
      element: `<title>${text}</title>`,
      line,
      observed: 'a second title',
      expected,
    }));
    if (!first) {
      const [stray] = titles;
      const observed = stray ? `a title outside the head: ${stray.text}` : 'no title';
      evidence.unshift({ url, ...(stray && { line: stray.line }), observed, expected });
    } else if (first.text === '') {
      evidence.unshift({ url, element: '<title>', line: first.line, observed: 'an empty title', expected });
    }
    return failIfAny(evidence);
  },
});
