/** WWW-Authenticate on one side only, or different. Nonces and the like are not compared. */
import { challengeText, parseChallenges } from '../fields/challenges.js';
import { presence, type Rule } from '../rule.js';

export const authChallengePresent: Rule = {
  code: 'AUTH_CHALLENGE_PRESENT',
  version: 1,
  title: 'A login is demanded on one side',
  about: 'WWW-Authenticate is sent by one side only (critical) or differs in schemes or realm (warning).',
  recommendation:
    'Align the access protection, or give the probe credentials for the protected side with --header-left or --header-right.',
  inputs: ['challenge'],
  claims: ['www-authenticate'],
  compare(left, right) {
    const lines = [left.lines('www-authenticate'), right.lines('www-authenticate')] as const;
    const texts = lines.map((value) => value && parseChallenges(value).map(challengeText));
    const [a, b] = texts;
    if (left.canonical('www-authenticate') === right.canonical('www-authenticate')) return [];
    const oneSided = a === undefined || b === undefined;
    return [
      {
        section: 'headers',
        key: 'www-authenticate',
        left: a ?? null,
        right: b ?? null,
        severity: oneSided ? 'critical' : 'warn',
        direction: presence(a, b),
        message: oneSided
          ? `Only the ${a ? 'left' : 'right'} side demands a login: ${(a ?? b ?? []).join(', ')}`
          : `The sides demand different logins: ${a.join(', ')} and ${b.join(', ')}`,
      },
    ];
  },
};
