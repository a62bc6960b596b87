/** Cookies that only one side sets, by name; ids in names are ignored. */
import { cookieNameForm, isInfrastructureCookie } from '../cookie-names.js';
import { oneSidedDifferences } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { NAME, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const cookieSetDrift: Rule = {
  code: 'COOKIE_SET_DRIFT',
  version: 2,
  title: 'A cookie is set by one side only',
  about:
    'A cookie is set by one side only. Warning; info for cookies of load balancers, CDNs and bot filters.',
  recommendation:
    'Check whether the cookie belongs to a feature, vendor or layer that one environment lacks.',
  inputs: ['cookies'],
  claims: ['set-cookie'],
  grouped: (count) => `${count} cookies are set by one side only`,
  compare(left, right) {
    return oneSidedDifferences(namesOf(left), namesOf(right), (name, side) => ({
      section: 'cookies',
      severity: isInfrastructureCookie(name) ? 'info' : 'warn',
      direction: `${side}_only`,
      message: `Only ${NAME[side]} sets the cookie "${name}"`,
    }));
  },
};

function namesOf(view: SampleView): readonly string[] {
  return sortedSet((view.envelope.cookies ?? []).map(({ name }) => cookieNameForm(name)));
}
