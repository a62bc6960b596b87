/** Both sides demand a login, but one accepts a weaker scheme. */
import { parseChallenges } from '../fields/challenges.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

/** How well a scheme protects the secret; unknown schemes count like bearer tokens. */
const STRENGTH: Readonly<Record<string, number>> = {
  basic: 1,
  digest: 2,
  ntlm: 2,
  negotiate: 3,
  bearer: 3,
  dpop: 4,
  mutual: 4,
  hoba: 4,
};
const UNKNOWN_STRENGTH = 3;

export const authSchemeDrift: Rule = {
  code: 'AUTH_SCHEME_DRIFT',
  version: 2,
  title: 'A weaker login scheme is accepted',
  about:
    'The weakest scheme in WWW-Authenticate is weaker on one side, for example Basic instead of Bearer. Warning.',
  recommendation: 'Offer the same schemes on both sides, and drop the weaker one.',
  inputs: ['challenge'],
  claims: ['www-authenticate'],
  compare(left, right) {
    const a = schemesOf(left);
    const b = schemesOf(right);
    if (a.length === 0 || b.length === 0) return undefined;
    const strengths = [weakest(a), weakest(b)] as const;
    if (strengths[0] === strengths[1]) return undefined;
    const weaker = strengths[0] < strengths[1] ? 'left' : 'right';
    return {
      section: 'headers',
      key: 'www-authenticate',
      left: a,
      right: b,
      severity: 'warn',
      direction: weakerSide(weaker),
      message: `${NAME[weaker]} accepts a weaker login: ${a.join(', ')} on ${NAME.left}, ${b.join(', ')} on ${NAME.right}`,
      kind: `${a.join(' ')} ${b.join(' ')}`,
    };
  },
};

function schemesOf(view: SampleView): readonly string[] {
  return parseChallenges(view.lines('www-authenticate') ?? []).map(({ scheme }) => scheme);
}

function weakest(schemes: readonly string[]): number {
  return Math.min(...schemes.map((scheme) => STRENGTH[scheme] ?? UNKNOWN_STRENGTH));
}
