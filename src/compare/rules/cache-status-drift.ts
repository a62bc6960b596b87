/** Whether a cache ever served the response, over all samples. */
import { NAME, otherSide, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const NAMES = [
  'cache-status',
  'cf-cache-status',
  'x-cache',
  'x-cache-status',
  'x-cache-hits',
  'x-proxy-cache',
  'x-vercel-cache',
  'x-drupal-cache',
  'age',
];
const SAMPLES_MIN = 2;

export const cacheStatusDrift: Rule = {
  code: 'CACHE_STATUS_DRIFT',
  version: 2,
  title: 'The cache never serves the candidate',
  about:
    'With at least two samples per side, a cache served the reference at least once and the candidate never. Warning; info the other way round.',
  recommendation:
    'Check the CDN rules, and the cookies, Vary and Cache-Control headers that keep responses out of caches.',
  inputs: ['headers.extended'],
  claims: NAMES,
  sampled: true,
  measured: true,
  compare(_left, _right, { samples }) {
    const states = { left: statesOf(samples.left), right: statesOf(samples.right) };
    if (states.left.length < SAMPLES_MIN || states.right.length < SAMPLES_MIN) return undefined;
    const hits = [states.left.includes('hit'), states.right.includes('hit')] as const;
    if (hits[0] === hits[1]) return undefined;
    const weaker = hits[0] ? 'right' : 'left';
    return {
      section: 'headers',
      key: 'cache',
      ...states,
      severity: 'warn',
      direction: weakerSide(weaker),
      message: `No response of ${NAME[weaker]} came from a cache, but one of ${NAME[otherSide(weaker)]} did`,
    };
  },
};

const STATUS_NAMES = NAMES.filter((name) => name !== 'age' && name !== 'x-cache-hits');

const HIT = /\bhit\b|\bstale\b|\brevalidated\b/i;

/** The state of every sample with a response. */
function statesOf(samples: readonly SampleView[]): readonly ('hit' | 'miss')[] {
  const headers = samples
    .map(({ response }) => response?.headers.extended)
    .filter((one) => one !== undefined);
  return headers.map((one) => (isHit(one) ? 'hit' : 'miss'));
}

function isHit(headers: Readonly<Record<string, readonly string[]>>): boolean {
  if (STATUS_NAMES.some((name) => headers[name]?.some((line) => HIT.test(line)))) return true;
  return Number(headers['age']?.[0] ?? 0) > 0 || /[1-9]/.test(headers['x-cache-hits']?.[0] ?? '');
}
