/** Limits a client is told about: their size and whether there are any. What is left of them is not compared. */
import { differencesOf } from '../differences.js';
import { presence, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const LIMITS = ['ratelimit-limit', 'x-ratelimit-limit', 'ratelimit-policy'];
const COMPARED = [...LIMITS, 'ratelimit'];
const CLAIMS = [
  ...LIMITS,
  'ratelimit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
];

export const rateLimitDrift: Rule = {
  code: 'RATE_LIMIT_DRIFT',
  version: 1,
  title: 'Other rate limits',
  about:
    'The limit in RateLimit-*, X-RateLimit-Limit or RateLimit-Policy differs or is told by one side only. A warning.',
  recommendation: 'Keep limits alike, or test against the stricter ones.',
  inputs: ['headers.extended'],
  claims: CLAIMS,
  reads: COMPARED,
  compare(left, right) {
    return differencesOf(COMPARED, (name) => {
      const a = limitOf(left, name);
      const b = limitOf(right, name);
      if (a === b) return undefined;
      return {
        section: 'headers',
        key: name,
        left: a,
        right: b,
        severity: 'warn',
        direction: presence(a, b),
        message: `${name} is ${a ?? 'absent'} on the left and ${b ?? 'absent'} on the right`,
      };
    });
  },
};

/** RateLimit carries the limit and what is left in one field; only the limit and the policy's name stay. */
function limitOf(view: SampleView, name: string): string | null {
  const text = view.text(name);
  if (text === null || name !== 'ratelimit') return text;
  return text.replace(/([;,]\s*)?\b(r|t|remaining|reset)=\d+/gi, '').trim();
}
