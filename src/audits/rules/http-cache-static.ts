/** Checks that files whose name changes with their content are cached for a year. */

import { hasContentHash } from '../content-hash.js';
import { headersOf } from '../facts/fetch-facts.js';
import { responseOf } from '../response-of.js';
import { failIfAny, notApplicable, pageRule } from '../rule.js';
import { subresources } from '../subresources.js';

const YEAR_SECONDS = 31_536_000;

export const httpCacheStatic = pageRule({
  id: 'http.cache-static',
  title: '{n} {page loads|pages load} hashed files that are not cached for a year',
  passTitle: 'Hashed files are cached for a year',
  category: 'perf',
  severity: 'warn',
  weight: 3,
  why: 'Such a file never changes, so requesting it again wastes time on every visit.',
  fix: 'Send Cache-Control: public, max-age=31536000, immutable.',
  on: 'html',
  inputs: { document: ['links', 'scripts', 'images', 'embeds'], site: ['responses'] },
  check({ page: { url }, document, site: { responses } }) {
    const hashed = subresources(document).filter((each) => each.url !== null && hasContentHash(each.url));
    const known = hashed.flatMap((each) => {
      const response = each.url === null ? undefined : responseOf(responses, each.url);
      return response?.status === 200
        ? [{ ...each, value: headersOf(response, 'cache-control').join(', ') }]
        : [];
    });
    if (known.length === 0) return notApplicable('the page loads no file with a hash in its name');
    const short = known.filter(({ value }) => !isLong(value));
    return failIfAny(
      short.map(({ tag, url: file, line, value }) => ({
        url,
        element: `<${tag}> ${file}`,
        line,
        observed: value === '' ? 'no Cache-Control' : value,
        expected: `max-age of at least ${YEAR_SECONDS}`,
      })),
    );
  },
});

function isLong(value: string): boolean {
  if (/\bno-(?:store|cache)\b/i.test(value)) return false;
  return Number(/\bmax-age\s*=\s*"?(\d+)/i.exec(value)?.[1] ?? 0) >= YEAR_SECONDS;
}
