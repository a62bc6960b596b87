/** A response that depends on Origin although Vary does not include it, so a cache may serve it to the wrong site. */
import { tokenSet } from '../fields/list-field.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const corsVaryMissing: Rule = {
  code: 'CORS_VARY_MISSING',
  version: 2,
  title: 'Vary does not include Origin',
  about:
    "Access-Control-Allow-Origin depends on the request's Origin, but Vary does not include Origin. Warning. If both sides do it, it is not drift.",
  recommendation: 'Send Vary: Origin whenever the response depends on it, even if the origin is rejected.',
  inputs: ['exchanges.origins'],
  claims: ['access-control-*', 'vary'],
  bySide: true,
  compare(left, right) {
    const faults = { left: fault(left), right: fault(right) };
    if ((faults.left === null) === (faults.right === null)) return undefined;
    const side = faults.left === null ? 'right' : 'left';
    return {
      section: 'exchanges',
      key: 'vary',
      ...faults,
      severity: 'warn',
      direction: weakerSide(side),
      message: `Vary does not include Origin on ${NAME[side]}`,
    };
  },
};

function fault(view: SampleView): string | null {
  const responses = view.envelope.exchanges?.origins ?? [];
  if (responses.length < 2) return null;
  const allowed = responses.map(
    ({ headers }) => headers?.['access-control-allow-origin']?.[0]?.trim() ?? 'absent',
  );
  if (new Set(allowed).size < 2) return null;
  const named = responses.every(({ headers }) => {
    const vary = tokenSet(headers?.['vary'] ?? []);
    return vary.includes('origin') || vary.includes('*');
  });
  return named ? null : `allow-origin is ${allowed.join(' or ')}`;
}
