/** Which request headers a cache must distinguish, compared as a set. */
import { tokenSet } from '../fields/list-field.js';
import { bothValues, type Rule, weakerSide, weakerSubset } from '../rule.js';

export const varyDrift: Rule = {
  code: 'VARY_DRIFT',
  version: 2,
  title: 'Vary differs',
  about:
    'Vary on the candidate lacks headers or lists different ones: a warning. `*` on the candidate only, which disables caching, is critical. A candidate that lists more headers is info. Order and case are ignored.',
  recommendation: 'On both sides, list exactly the request headers that the response depends on.',
  inputs: ['headers.core'],
  claims: ['vary'],
  compare(left, right) {
    const a = tokenSet(left.lines('vary') ?? []);
    const b = tokenSet(right.lines('vary') ?? []);
    if (a.join() === b.join()) return undefined;
    const star = a.includes('*') !== b.includes('*');
    return {
      section: 'headers',
      key: 'vary',
      left: left.lines('vary') ? a : null,
      right: right.lines('vary') ? b : null,
      severity: star ? 'critical' : 'warn',
      direction: star ? weakerSide(a.includes('*') ? 'left' : 'right') : weakerSubset(a, b),
      message: bothValues('Vary', a.join(', ') || null, b.join(', ') || null),
      kind: star ? 'star' : '',
    };
  },
};
