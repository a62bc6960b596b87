/** Checks that the text of a page is in its HTML. */
import { fail, pageRule, pass } from '../rule.js';

/** With fewer words than this, the page depends on what a script fills in. */
const WORDS_MIN = 50;
/** Share of text in the document below which it is nearly all code. */
const SHARE_MIN = 0.005;

export const contentJsDependent = pageRule({
  id: 'content.js-dependent',
  title: '{n} {page has|pages have} no content without JavaScript',
  passTitle: 'Pages have content without JavaScript',
  category: 'ai',
  severity: 'warn',
  weight: 6,
  why: 'Most AI crawlers run no scripts, so such a page is empty to them.',
  fix: 'Render the content on the server, or at build time.',
  on: 'html',
  inputs: { document: ['text', 'scripts', 'parsedBytes'] },
  check({ page: { url }, document: { text, scripts, parsedBytes } }) {
    if (text.words >= WORDS_MIN || scripts.length === 0) return pass;
    const root = text.emptyAppRoot;
    const share = text.chars / Math.max(parsedBytes, 1);
    if (!root && share >= SHARE_MIN) return pass;
    return fail({
      url,
      ...(root && { element: root.html, line: root.line }),
      observed: `${text.words} words, ${root ? 'and an element filled by a script' : `${(share * 100).toFixed(2)} % of the document is text`}`,
      expected: 'the text of the page in its HTML',
    });
  },
});
