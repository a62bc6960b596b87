/** An answer that depends on Origin without saying so: a cache will hand it to the wrong site. */

import { differencesOfSides } from '../differences.js';
import { tokenSet } from '../fields/list-field.js';
import { type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const corsVaryMissing: Rule = {
  code: 'CORS_VARY_MISSING',
  version: 1,
  title: 'Vary does not name Origin',
  about:
    'Access-Control-Allow-Origin changes with the Origin that was sent, but Vary does not name Origin. A warning; information when both sides do it.',
  recommendation: 'Send Vary: Origin whenever the answer depends on it, also when the origin is refused.',
  inputs: ['exchanges.origins'],
  claims: ['access-control-*', 'vary'],
  sampled: true,
  compare(left, right) {
    const faults = { left: fault(left), right: fault(right) };
    const both = faults.left !== null && faults.right !== null;
    return differencesOfSides((side) => {
      if (faults[side] === null || (both && side === 'left')) return undefined;
      return {
        section: 'exchanges',
        key: both ? 'both' : side,
        left: faults.left,
        right: faults.right,
        severity: both ? 'info' : 'warn',
        direction: both ? 'changed' : weakerSide(side),
        message: `${both ? 'Neither side names' : `The ${side} side does not name`} Origin in Vary`,
      };
    });
  },
};

function fault(view: SampleView): string | null {
  const answers = view.envelope.exchanges?.origins ?? [];
  if (answers.length < 2) return null;
  const allowed = answers.map(
    ({ headers }) => headers?.['access-control-allow-origin']?.[0]?.trim() ?? 'absent',
  );
  if (new Set(allowed).size < 2) return null;
  const named = answers.every(({ headers }) => {
    const vary = tokenSet(headers?.['vary'] ?? []);
    return vary.includes('origin') || vary.includes('*');
  });
  return named ? null : `allow-origin is ${allowed.join(' or ')}`;
}
