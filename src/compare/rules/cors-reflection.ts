/** A side that allows whatever origin asks, told by an origin that no site lists. */
import { differencesOfSides } from '../differences.js';
import { type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const corsReflection: Rule = {
  code: 'CORS_REFLECTION',
  version: 1,
  title: 'Any origin is allowed',
  about:
    'A foreign origin is written back into Access-Control-Allow-Origin. Critical together with Allow-Credentials, a warning without; information when both sides do it, which is then no drift.',
  recommendation: 'Compare the Origin with a list instead of writing it back.',
  inputs: ['exchanges.origins'],
  claims: ['access-control-*'],
  sampled: true,
  compare(left, right) {
    const marks = { left: reflection(left), right: reflection(right) };
    const both = marks.left !== null && marks.left === marks.right;
    return differencesOfSides((side) => {
      const mark = marks[side];
      if (mark === null || (both && side === 'left')) return undefined;
      return {
        section: 'exchanges',
        key: both ? 'both' : side,
        left: marks.left,
        right: marks.right,
        severity: both ? 'info' : mark.endsWith('credentials') ? 'critical' : 'warn',
        direction: both ? 'changed' : weakerSide(side),
        message: both ? `Both sides allow ${mark}` : `The ${side} side allows ${mark}`,
      };
    });
  },
};

function reflection(view: SampleView): string | null {
  const foreign = view.envelope.exchanges?.origins?.find(({ relation }) => relation === 'foreign');
  if (foreign?.headers?.['access-control-allow-origin']?.[0]?.trim() !== foreign?.origin || !foreign)
    return null;
  const credentials = foreign.headers?.['access-control-allow-credentials']?.[0]?.trim() === 'true';
  return `any origin${credentials ? ' with credentials' : ''}`;
}
