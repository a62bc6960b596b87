/** Rate limits announced to clients: whether there are any and how high they are, not what remains of them. */
import { differencesOf } from '../differences.js';
import type { Direction } from '../finding.js';
import { headerValues, type Rule, weakerBelow } from '../rule.js';
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
  version: 2,
  title: 'Rate limits differ',
  about:
    'The limit in RateLimit-*, X-RateLimit-Limit or RateLimit-Policy differs or is sent by one side only. Warning; info if the candidate allows more.',
  recommendation: 'Use the same limits on both sides, or test against the stricter ones.',
  inputs: ['headers.extended'],
  claims: CLAIMS,
  compare(left, right) {
    return differencesOf(COMPARED, (name) => {
      const a = limitOf(left, name);
      const b = limitOf(right, name);
      if (a === b) return undefined;
      return { ...headerValues(name, a, b), severity: 'warn', direction: directionOf(a, b) };
    });
  },
};

/** The side with the lower limit is weaker; no limit counts as the highest. */
function directionOf(a: string | null, b: string | null): Direction {
  const [x, y] = [allowance(a), allowance(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? 'changed' : weakerBelow(x, y);
}

function allowance(text: string | null): number {
  if (text === null) return Number.POSITIVE_INFINITY;
  return /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** RateLimit combines the limit and what remains in one field; only the limit and the name of the policy are kept. */
function limitOf(view: SampleView, name: string): string | null {
  const text = view.text(name);
  if (text === null || name !== 'ratelimit') return text;
  return text.replace(/([;,]\s*)?\b(r|t|remaining|reset)=\d+/gi, '').trim();
}
