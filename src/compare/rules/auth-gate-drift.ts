/** A login in front of the page on one side only: 401, 403 or a redirect to a login page. */
import { NAME, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const LOGIN_PATH = /\/(log-?in|sign-?in|auth|sso|saml|oauth2?|oidc|cas|session\/new|wp-login\.php)(\/|\.|$)/i;

export const authGateDrift: Rule = {
  code: 'AUTH_GATE_DRIFT',
  version: 2,
  title: 'Only one side is behind a login',
  about:
    'One side returns 401, 403 or 407, or redirects to a login page, and the other does not. Critical whichever side it is: either the candidate is closed or it lost its protection.',
  recommendation:
    'Check the access rules. If the login is intended, give the probe credentials for that side.',
  inputs: ['status', 'redirects'],
  compare(left, right) {
    const gates = [gateOf(left), gateOf(right)] as const;
    if ((gates[0] === null) === (gates[1] === null)) return undefined;
    const gated = gates[0] === null ? 'right' : 'left';
    return {
      section: 'status',
      key: 'gate',
      left: gates[0] ?? `HTTP ${left.response?.status}`,
      right: gates[1] ?? `HTTP ${right.response?.status}`,
      severity: 'critical',
      direction: gated === 'left' ? 'left_only' : 'right_only',
      message: `Only ${NAME[gated]} is behind a login: ${gates[0] ?? gates[1]}`,
      kind: gated,
    };
  },
};

function gateOf(view: SampleView): string | null {
  const status = view.response?.status ?? 0;
  if (status === 401 || status === 403 || status === 407) return `HTTP ${status}`;
  const { finalUrl, redirects } = view;
  if (!finalUrl || redirects.length === 0) return null;
  const requested = view.requestedUrl?.pathname ?? '';
  return LOGIN_PATH.test(finalUrl.pathname) && !LOGIN_PATH.test(requested)
    ? `redirect to ${finalUrl.href}`
    : null;
}
