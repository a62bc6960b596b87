/** Checks that search results may show a snippet of the page. */
import { directivesOf } from '../directives.js';
import { failIfAny, pageRule } from '../rule.js';

const LIMITS = new Set(['nosnippet', 'max-snippet:0', 'noarchive']);

export const idxSnippetLimits = pageRule({
  id: 'idx.snippet-limits',
  title: '{n} {page forbids|pages forbid} snippets in search results',
  passTitle: 'Search results may show snippets',
  category: 'index',
  severity: 'info',
  weight: 2,
  why: 'A search result without a snippet is rarely clicked, and AI search engines leave such pages out.',
  fix: 'Check that the limit is intended; otherwise remove nosnippet, max-snippet:0 or noarchive.',
  on: 'html',
  inputs: { page: ['fetch'], document: ['metas'] },
  check({ page: { url, fetch }, document }) {
    const found = directivesOf(fetch, document).filter(({ name }) => LIMITS.has(name));
    return failIfAny(
      found.map(({ name, from, agent, line, text }) => ({
        url,
        element: from === 'header' ? 'X-Robots-Tag' : `<meta name="${agent}" content="${text}">`,
        ...(line !== null && { line }),
        observed: name,
        expected: 'no limit on snippets',
      })),
    );
  },
});
