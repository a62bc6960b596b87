/** Files whose name changes with their content are cached for a year. */
import { answerOf } from '../answer-of.js';
import { headersOf } from '../facts/fetch-facts.js';
import { failIfAny, notApplicable, pageRule } from '../rule.js';
import { subresources } from '../subresources.js';

const YEAR_SECONDS = 31_536_000;
/** A name with a run of eight or more hex digits, or of mixed letters and digits as bundlers write them. */
const HASHED = /[._-](?:[0-9a-f]{8,}|(?=[^./]*\d)(?=[^./]*[A-Za-z])[A-Za-z0-9_]{8,20})\.[a-z0-9.]{2,12}$/;

export const httpCacheStatic = pageRule({
  id: 'http.cache-static',
  title: 'Assets with a hash in their name are cached for a year',
  category: 'perf',
  severity: 'warn',
  weight: 3,
  levels: 1,
  why: 'Such a file never changes, so asking for it again is time lost on every visit.',
  fix: 'Send Cache-Control: public, max-age=31536000, immutable.',
  on: 'html',
  inputs: { document: ['links', 'scripts', 'images', 'embeds'], site: ['answers'] },
  check({ page: { url }, document, site: { answers } }) {
    const hashed = subresources(document).filter(
      (each) => each.url !== null && HASHED.test(pathOf(each.url)),
    );
    const known = hashed.flatMap((each) => {
      const answer = each.url === null ? undefined : answerOf(answers, each.url);
      return answer?.status === 200
        ? [{ ...each, value: headersOf(answer, 'cache-control').join(', ') }]
        : [];
    });
    if (known.length === 0) return notApplicable('the page loads no file with a hash in its name');
    const short = known.filter(({ value }) => !isLong(value));
    return failIfAny(
      short.map(({ tag, src, line, value }) => ({
        url,
        element: `<${tag}> ${src}`,
        line,
        observed: value === '' ? 'no Cache-Control' : value,
        expected: `max-age of at least ${YEAR_SECONDS}`,
      })),
    );
  },
});

/** Of an address in its normal form, where no part has to be worked out. */
function pathOf(href: string): string {
  return href.split(/[?#]/, 1)[0] ?? href;
}

function isLong(value: string): boolean {
  if (/\bno-(?:store|cache)\b/i.test(value)) return false;
  return Number(/\bmax-age\s*=\s*"?(\d+)/i.exec(value)?.[1] ?? 0) >= YEAR_SECONDS;
}
