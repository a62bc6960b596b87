/** Which request headers a cache must tell apart, as a set. */
import { tokenSet } from '../fields/list-field.js';
import { presence, type Rule } from '../rule.js';

export const varyDrift: Rule = {
  code: 'VARY_DRIFT',
  version: 1,
  title: 'Vary differs',
  about:
    'Vary names other headers: a warning; `*` on one side only, which no cache can use, is critical. Order and case never count.',
  recommendation: 'Name exactly the request headers that the answer depends on, on both sides.',
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
        direction: presence(left.lines('vary'), right.lines('vary')),
        message: `Vary is ${a.join(', ') || 'empty'} on the left and ${b.join(', ') || 'empty'} on the right`,
        kind: star ? 'star' : '',
      },
    ];
  },
};
