/** A page's metadata for search engines and previews. */
import type { HtmlFacts } from '../../probe/index.js';
import { differencesOf } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import type { Direction } from '../finding.js';
import { sameStatusClass } from '../json-facts.js';
import { bothValues, type Rule, weakerWithout, worstAndMore } from '../rule.js';

const SINGLE = ['title', 'canonical', 'description', 'viewport', 'lang', 'base'] as const;
const COMPARED_METAS = /^(og|twitter|article|product|fb):/;

export const htmlMetaDrift: Rule = {
  code: 'HTML_META_DRIFT',
  version: 3,
  title: 'Page metadata differs',
  about:
    'Title, canonical, description, viewport, language, base, Open Graph and Twitter metadata, language alternates, the types of JSON-LD data or a content security policy in the page differ after origin mapping. A warning if the candidate lacks or changes one, info if it adds one. A meta refresh is a warning if only the candidate has it, a base in either case.',
  recommendation:
    'Check templates and content. A marked title on staging is common and can be ignored with --ignore.',
  inputs: ['body.content'],
  grouped: worstAndMore,
  compare(left, right) {
    const a = left.envelope.body?.html;
    const b = right.envelope.body?.html;
    if (!a || !b || !sameStatusClass(left, right)) return [];
    const [x, y] = [metaOf(a), metaOf(b)];
    return differencesOf(sortedSet([...x.keys(), ...y.keys()]), (key) => {
      const values = [x.get(key), y.get(key)] as const;
      if (values[0] === values[1]) return undefined;
      const mapped = [values[0] && left.map(values[0]), values[1] && right.map(values[1])];
      if (mapped[0] === mapped[1]) return undefined;
      return {
        section: 'body',
        key,
        left: values[0] ?? null,
        right: values[1] ?? null,
        severity: 'warn',
        direction: directionOf(key, values),
        message: bothValues(key, values[0] ?? null, values[1] ?? null),
      };
    });
  },
};

/** A refresh sends visitors elsewhere; adding or removing a base changes every relative link. */
function directionOf(
  key: string,
  [left, right]: readonly [string | undefined, string | undefined],
): Direction {
  if (key === 'base') return 'changed';
  return key === 'refresh' ? weakerWithout(right, left) : weakerWithout(left, right);
}

const COMPARED_EQUIVS: ReadonlySet<string> = new Set(['refresh', 'content-security-policy']);

function metaOf(html: HtmlFacts): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  for (const key of SINGLE) {
    const value = html[key];
    if (value !== undefined) facts.set(key, value);
  }
  for (const { name, content } of html.metas) if (COMPARED_METAS.test(name)) facts.set(name, content);
  for (const { name, content } of html.httpEquiv) if (COMPARED_EQUIVS.has(name)) facts.set(name, content);
  for (const { hreflang, href } of html.alternates) facts.set(`alternate ${hreflang}`, href);
  for (const type of html.structuredData) facts.set(`JSON-LD ${type}`, 'present');
  return facts;
}
