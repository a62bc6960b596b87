/** Which request headers a cache must distinguish, as a set. */
import { tokenSet } from '../fields/list-field.js';
import { bothValues, type Rule, weakerSide, weakerSubset } from '../rule.js';

export const varyDrift: Rule = {
  code: 'VARY_DRIFT',
  version: 2,
  title: 'Vary differs',
  about:
    'Vary lacks headers on the candidate, or names others: a warning; `*`, which no cache can use, on the candidate only is critical. A candidate that names more headers is information. Order and case never count.',
  recommendation: 'Name exactly the request headers that the response depends on, on both sides.',
  inputs: ['headers.core'],
  claims: ['vary'],
  compare(left, right) {
    const a = tokenSet(left.lines('vary') ?? []);
    const b = tokenSet(right.lines('vary') ?? []);
    if (a.join() === b.join()) return [];
    const star = a.includes('*') !== b.includes('*');
    return [
      {
        section: 'headers',
        key: 'vary',
        left: left.lines('vary') ? a : null,
        right: right.lines('vary') ? b : null,
        severity: star ? 'critical' : 'warn',
        direction: star ? weakerSide(a.includes('*') ? 'left' : 'right') : weakerSubset(a, b),
        message: bothValues('Vary', a.join(', ') || null, b.join(', ') || null),
        kind: star ? 'star' : '',
      },
    ];
  },
};
