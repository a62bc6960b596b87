/** The runner's location and the Cloudflare data centre that responded: context for timing and caching. */
import { differencesOf } from '../differences.js';
import { rayColo } from '../fields/cf-ray.js';
import { bothValues, presence, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const FIELDS: readonly (readonly [string, (view: SampleView) => string | number | undefined])[] = [
  ['asn', ({ envelope }) => envelope.cf?.asn],
  ['colo', ({ envelope }) => envelope.cf?.colo],
  ['country', ({ envelope }) => envelope.cf?.country],
  ['ray-colo', (view) => rayColo(view.lines('cf-ray'))],
];

export const cfContextDrift: Rule = {
  code: 'CF_CONTEXT_DRIFT',
  version: 2,
  title: 'Cloudflare locations differ',
  about:
    "The runner's data centre, network or country, or the data centre in each side's cf-ray, differ. Info that may explain timing differences.",
  recommendation: 'Compare timings only if both sides were reached through the same data centre.',
  inputs: ['outcome'],
  claims: ['cf-ray'],
  grouped: (count) => `The Cloudflare context differs in ${count} ways`,
  compare(left, right) {
    return differencesOf(FIELDS, ([key, read]) => {
      const a = read(left);
      const b = read(right);
      // A value that only one side has cannot be compared.
      if (a === undefined || b === undefined || a === b) return undefined;
      return {
        section: 'cf',
        key,
        left: a,
        right: b,
        severity: 'info',
        direction: presence(a, b),
        message: bothValues(`The Cloudflare ${key}`, a, b),
      };
    });
  },
};
