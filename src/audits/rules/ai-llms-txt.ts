/** Checks that an llms.txt, if there is one, is useful. */
import { isHtmlFallback } from '../html-fallback.js';
import { type Evidence, failIfAny, notApplicable, siteRule } from '../rule.js';

const CHARS_MIN = 50;
/** Neither part may contain its own opening bracket, so that every character is scanned once. */
const LINK = /\[[^\][]+\]\([^()\s]+\)/;

export const aiLlmsTxt = siteRule({
  id: 'ai.llms-txt',
  title: 'llms.txt is malformed',
  passTitle: 'llms.txt is well-formed',
  category: 'ai',
  severity: 'info',
  weight: 2,
  why: 'A file without a heading or links adds nothing to the home page.',
  fix: 'Begin with an H1, describe the site, and link to what matters; or leave the file out.',
  inputs: { site: ['probes'] },
  check({ site: { probes } }) {
    const { llmsTxt } = probes;
    if (llmsTxt?.fetch.status !== 200) return notApplicable('there is no llms.txt, and none is needed');
    const { text, fetch } = llmsTxt;
    if (isHtmlFallback(fetch, text))
      return notApplicable('the path returns an HTML page, so there is no llms.txt');
    const evidence: Evidence[] = [];
    const add = (observed: string, expected: string) => evidence.push({ url: fetch.url, observed, expected });
    if (!/^#\s+\S/m.test(text)) add('no H1', 'a line that begins with "# "');
    if (!LINK.test(text)) add('no link', 'links as [name](address)');
    if (text.trim().length < CHARS_MIN) add(`${text.trim().length} characters`, `at least ${CHARS_MIN}`);
    return failIfAny(evidence);
  },
});
