/** Checks that the robots directives of a page do not contradict each other. */
import { canonicalsElsewhere } from '../canonical-links.js';
import { type Directive, directivesOf, noindexOf } from '../directives.js';
import { robotsVerdict } from '../robots/robots-verdict.js';
import { type Evidence, failIfAny, pageRule } from '../rule.js';

const OPPOSITES: readonly (readonly [says: string, denies: string])[] = [
  ['noindex', 'index'],
  ['nofollow', 'follow'],
  ['none', 'all'],
  ['none', 'index'],
  ['noindex', 'all'],
];

export const idxDirectiveConflict = pageRule({
  id: 'idx.directive-conflict',
  title: '{n} {page has|pages have} contradictory robots directives',
  passTitle: 'Robots directives do not contradict each other',
  category: 'index',
  severity: 'warn',
  weight: 6,
  why: 'If sources disagree, search engines apply the strictest, which is rarely intended.',
  fix: 'Set the directive in one place. Do not block a page in robots.txt if crawlers must see its noindex, and do not combine noindex with a canonical link to another page.',
  on: 'html',
  inputs: { page: ['fetch'], document: ['metas', 'links'], site: ['robots'] },
  check({ page, document, site: { robots } }) {
    const { url } = page;
    const directives = directivesOf(page.fetch, document);
    const noindex = noindexOf(directives);
    const evidence = contradictions(url, directives);
    if (!noindex) return failIfAny(evidence);
    const file = robots.find(({ origin }) => origin === new URL(url).origin);
    const verdict = file && robotsVerdict(file, 'Googlebot', url);
    if (verdict && !verdict.allowed) {
      evidence.push({
        url,
        observed: `${noindex.text}, and ${verdict.rule ?? 'no access'} in robots.txt`,
        expected: 'a crawlable page, so that its noindex is seen',
        ...(verdict.line !== null && { line: verdict.line }),
      });
    }
    const [away] = canonicalsElsewhere(page, document);
    if (away) {
      evidence.push({
        url,
        ...(away.line !== null && { line: away.line }),
        observed: `${noindex.text}, and a canonical of ${away.href}`,
        expected: 'noindex, or a canonical elsewhere, not both',
      });
    }
    return failIfAny(evidence);
  },
});

function contradictions(url: string, directives: readonly Directive[]): Evidence[] {
  return OPPOSITES.flatMap(([says, denies]) => {
    const one = directives.find(({ name }) => name === says);
    const other = directives.find(({ name, agent }) => name === denies && agent === one?.agent);
    if (!one || !other) return [];
    return [
      {
        url,
        ...(one.line !== null && { line: one.line }),
        observed: `${says} in ${placeOf(one)}, ${denies} in ${placeOf(other)}`,
        expected: 'one of them',
      },
    ];
  });
}

function placeOf({ from, agent }: Directive): string {
  return from === 'header' ? 'X-Robots-Tag' : `<meta name="${agent}">`;
}
