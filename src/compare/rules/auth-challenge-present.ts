/** WWW-Authenticate on one side only, or different. Volatile parameters such as nonces are ignored. */
import { challengeText, parseChallenges } from '../fields/challenges.js';
import { NAME, presence, type Rule } from '../rule.js';

export const authChallengePresent: Rule = {
  code: 'AUTH_CHALLENGE_PRESENT',
  version: 2,
  title: 'Only one side requires a login',
  about:
    'WWW-Authenticate is sent by one side only (critical whichever side it is: either the site is closed or it lost its protection), or its schemes or realm differ (warning).',
  recommendation:
    'Protect both sides the same way, or give the probe credentials for that side with --header-left or --header-right.',
  inputs: ['challenge'],
  claims: ['www-authenticate'],
  compare(left, right) {
    const lines = [left.lines('www-authenticate'), right.lines('www-authenticate')] as const;
    const texts = lines.map((value) => value && parseChallenges(value).map(challengeText));
    const [a, b] = texts;
    if (left.canonical('www-authenticate') === right.canonical('www-authenticate')) return undefined;
    const oneSided = a === undefined || b === undefined;
    return {
      section: 'headers',
      key: 'www-authenticate',
      left: a ?? null,
      right: b ?? null,
      severity: oneSided ? 'critical' : 'warn',
      direction: presence(a, b),
      message: oneSided
        ? `Only ${NAME[a ? 'left' : 'right']} demands a login: ${(a ?? b ?? []).join(', ')}`
        : `${NAME.left} demands ${a.join(', ')}, ${NAME.right} ${b.join(', ')}`,
    };
  },
};
