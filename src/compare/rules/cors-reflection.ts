/** A side that allows any origin, tested with an origin that no site lists. */
import { differencesOfSides } from '../differences.js';
import { NAME, otherSide, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const corsReflection: Rule = {
  code: 'CORS_REFLECTION',
  version: 2,
  title: 'CORS allows any origin',
  about:
    'The Origin of any request is echoed in Access-Control-Allow-Origin. Critical with Allow-Credentials, otherwise a warning. If both sides do it, it is not drift.',
  recommendation: 'Check the Origin against an allowlist instead of echoing it.',
  inputs: ['exchanges.origins'],
  claims: ['access-control-*'],
  bySide: true,
  compare(left, right) {
    const marks = { left: reflection(left), right: reflection(right) };
    if (marks.left === marks.right) return [];
    return differencesOfSides((side) => {
      const mark = marks[side];
      // If both reflect, only the one that also allows credentials is weaker.
      if (mark === null || (marks[otherSide(side)] !== null && !mark.endsWith('credentials')))
        return undefined;
      return {
        section: 'exchanges',
        key: 'reflection',
        ...marks,
        severity: mark.endsWith('credentials') ? 'critical' : 'warn',
        direction: weakerSide(side),
        message: `${NAME[side]} allows ${mark}`,
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
