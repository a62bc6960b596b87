/** Minor security headers. If the values of a header have an order of strength, the weaker side is named. */
import type { Side } from '../../probe/index.js';
import { sameField } from '../compare-headers.js';
import { differencesOf } from '../differences.js';
import { type Difference, headerValues, presence, type Rule, weakerSide } from '../rule.js';
import { referrerStrength } from '../security-policy.js';

/** Strength of a value, higher is stricter; absent is 0. */
const STRENGTHS: Readonly<Record<string, (value: string) => number>> = {
  'x-content-type-options': (value) => (value.trim().toLowerCase() === 'nosniff' ? 1 : 0),
  'referrer-policy': referrerStrength,
};

const NAMES = [
  'x-content-type-options',
  'referrer-policy',
  'x-xss-protection',
  'x-permitted-cross-domain-policies',
  'x-download-options',
  'origin-agent-cluster',
  'clear-site-data',
  'nel',
  'report-to',
  'reporting-endpoints',
];

export const securityHeaderDrift: Rule = {
  code: 'SECURITY_HEADER_DRIFT',
  version: 2,
  title: 'A security header differs',
  about:
    "A minor security header differs (nosniff, Referrer-Policy, reporting and others). A warning if the candidate's value is known to be weaker, otherwise info.",
  recommendation: 'Set the same value on both sides, preferably the stricter one.',
  inputs: ['headers.extended'],
  claims: NAMES,
  compare(left, right) {
    return differencesOf(NAMES, (name) =>
      sameField(left, right, name) ? undefined : difference(name, left.text(name), right.text(name)),
    );
  },
};

function difference(name: string, left: string | null, right: string | null): Difference {
  const weaker = weakerOf(name, left, right);
  return {
    ...headerValues(name, left, right),
    severity: weaker ? 'warn' : 'info',
    direction: weaker ? weakerSide(weaker) : presence(left, right),
  };
}

/** undefined if the field has no order of strength or both values are equally strong. */
function weakerOf(name: string, left: string | null, right: string | null): Side | undefined {
  const strength = STRENGTHS[name];
  if (!strength) return undefined;
  const a = left === null ? 0 : strength(left);
  const b = right === null ? 0 : strength(right);
  return a === b ? undefined : a < b ? 'left' : 'right';
}
