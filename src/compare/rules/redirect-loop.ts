/** Redirects that never end, on either side. */
import { differencesOfSides } from '../differences.js';
import { NAME, type Rule, weakerSide } from '../rule.js';

export const redirectLoop: Rule = {
  code: 'REDIRECT_LOOP',
  version: 2,
  title: 'Redirects never end',
  about: 'A side redirects in a loop, or more often than the limit. Critical.',
  recommendation: 'Check the hops; usually two layers disagree about scheme, host or trailing slash.',
  inputs: ['outcome'],
  sampled: true,
  compare(left, right) {
    const hops = (view: typeof left) => view.redirects.map(({ status, toUrl }) => `${status} → ${toUrl}`);
    return differencesOfSides((side) => {
      const code = (side === 'left' ? left : right).error?.code;
      if (code !== 'redirect_loop' && code !== 'redirect_limit') return undefined;
      return {
        section: 'redirects',
        key: side,
        left: hops(left),
        right: hops(right),
        severity: 'critical',
        direction: weakerSide(side),
        message: `${NAME[side]} redirects ${code === 'redirect_loop' ? 'in a loop' : 'too often'}`,
        kind: code,
      };
    });
  },
};
