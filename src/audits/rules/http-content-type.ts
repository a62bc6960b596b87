/** Checks that a page declares its type and encoding. */
import { headerCharset } from '../extract/decode-html.js';
import { headerOf } from '../facts/fetch-facts.js';
import { type Evidence, failIfAny, notApplicable, pageRule } from '../rule.js';

export const httpContentType = pageRule({
  id: 'http.content-type',
  title: '{n} {page has|pages have} no clear content type or encoding',
  passTitle: 'Pages declare their content type and encoding',
  category: 'crawl',
  severity: 'warn',
  weight: 4,
  why: 'Without a type and a charset browsers guess, and a wrong guess breaks text and scripts.',
  fix: 'Send Content-Type: text/html; charset=utf-8, and X-Content-Type-Options: nosniff.',
  on: 'response',
  inputs: { page: ['fetch', 'document'] },
  check({ page: { url, fetch, document } }) {
    if (fetch.status !== 200) return notApplicable('the response is not a page');
    const type = headerOf(fetch, 'content-type');
    const sniff = headerOf(fetch, 'x-content-type-options');
    const evidence: Evidence[] = [];
    const add = (element: string, observed: string, expected: string) =>
      evidence.push({ url, element, observed, expected });
    if (type === null || type.trim() === '')
      add('Content-Type', 'no Content-Type', 'text/html; charset=utf-8');
    else if (document?.charset.from === 'default')
      add('Content-Type', `${type}, and no charset in the page`, 'a charset');
    const declared = document?.metas.find(({ charset }) => charset !== null)?.charset?.toLowerCase();
    const header = headerCharset(type).toLowerCase();
    if (declared && header !== '' && declared !== header)
      add('<meta charset>', `${declared}, and ${header} in Content-Type`, 'one charset');
    if (sniff !== null && sniff.trim().toLowerCase() !== 'nosniff')
      add('X-Content-Type-Options', sniff, 'nosniff');
    return failIfAny(evidence);
  },
});
