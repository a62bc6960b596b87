/** Checks that every page has a meta description. */
import { fail, pageRule, pass } from '../rule.js';

export const descPresent = pageRule({
  id: 'desc.present',
  title: '{n} {page has|pages have} no meta description',
  passTitle: 'Pages have a meta description',
  category: 'content',
  severity: 'warn',
  weight: 4,
  why: 'Without one, search engines show an arbitrary excerpt of the page.',
  fix: 'Write <meta name="description"> with a sentence or two.',
  on: 'html',
  inputs: { document: ['metas'] },
  check({ page: { url }, document: { metas } }) {
    const found = metas.filter(({ name, inHead }) => name === 'description' && inHead);
    if (found.some(({ content }) => content !== null && content.trim() !== '')) return pass;
    const [empty] = found;
    return fail({
      url,
      ...(empty && { element: '<meta name="description">', line: empty.line }),
      observed: empty ? 'an empty description' : 'no description',
      expected: 'a description in the head',
    });
  },
});
