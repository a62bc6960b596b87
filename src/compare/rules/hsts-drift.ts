/** Strict-Transport-Security is off, shorter or narrower on one side. As in browsers, it counts over https only. */
import { differencesOf } from '../differences.js';
import { durationText } from '../duration-text.js';
import { NAME, type Rule, weakerSide, worstAndMore } from '../rule.js';
import { type Hsts, hstsOf, isHttps } from '../security-policy.js';

const PARTS: readonly (readonly [string, (hsts: Hsts) => number])[] = [
  ['max-age', ({ maxAge }) => maxAge],
  ['includeSubDomains', ({ includeSubDomains }) => Number(includeSubDomains)],
  ['preload', ({ preload }) => Number(preload)],
];

export const hstsDrift: Rule = {
  code: 'HSTS_DRIFT',
  version: 2,
  title: 'HSTS is missing or weaker',
  about:
    'Strict-Transport-Security is absent or has max-age 0: critical. A shorter max-age, or a missing includeSubDomains or preload, is a warning.',
  recommendation: 'Send the same Strict-Transport-Security with every https response.',
  inputs: ['headers.extended'],
  claims: ['strict-transport-security'],
  grouped: worstAndMore,
  compare(left, right) {
    if (!isHttps(left) || !isHttps(right)) return [];
    const a = hstsOf(left) ?? { maxAge: 0, includeSubDomains: false, preload: false };
    const b = hstsOf(right) ?? { maxAge: 0, includeSubDomains: false, preload: false };
    const off = a.maxAge === 0 ? 'left' : 'right';
    if ((a.maxAge === 0) !== (b.maxAge === 0)) {
      return {
        section: 'headers',
        key: 'max-age',
        left: left.text('strict-transport-security'),
        right: right.text('strict-transport-security'),
        severity: 'critical',
        direction: weakerSide(off),
        message: `HSTS is off on ${NAME[off]}`,
        kind: 'off',
      };
    }
    if (a.maxAge === 0) return [];
    return differencesOf(PARTS, ([key, read]) => {
      const x = read(a);
      const y = read(b);
      if (x === y) return undefined;
      const weaker = x < y ? 'left' : 'right';
      return {
        section: 'headers',
        key,
        left: x,
        right: y,
        severity: 'warn',
        direction: weakerSide(weaker),
        message:
          key === 'max-age'
            ? `HSTS lasts ${durationText(x)} on ${NAME.left} and ${durationText(y)} on ${NAME.right}`
            : `HSTS lacks ${key} on ${NAME[weaker]}`,
      };
    });
  },
};
