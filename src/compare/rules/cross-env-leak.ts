/**
 * One environment's host inside the other's answer: in a redirect, a policy, a cookie, a link, a value. On the
 * protected side that is critical (production sends people to staging), on the other a warning.
 */

import { joined } from '../differences.js';
import { byCodeUnit } from '../fields/code-unit-order.js';
import type { RuleContext } from '../rule.js';
import { type Difference, type Rule, severityOfWeaker, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const crossEnvLeak: Rule = {
  code: 'CROSS_ENV_LEAK',
  version: 1,
  title: 'One environment shows up in the other',
  about:
    "The other side's host stands in a Location, a policy, a CORS or cookie field, a link or a value of this side. Critical on the protected side, otherwise a warning. A canonical link from the unprotected side to the protected one is as it should be and does not count.",
  recommendation:
    'Look for a hard-wired base URL or a configuration value copied from the other environment.',
  inputs: ['status'],
  claims: [],
  sampled: true,
  grouped: (count) => `One environment's host shows up in the other in ${count} places`,
  compare(left, right, context) {
    return joined(leaks(left, context), leaks(right, context));
  },
};

function leaks(view: SampleView, context: RuleContext): Difference[] {
  const { side, origins } = view;
  const found: Difference[] = [];
  const look = (section: Difference['section'], key: string, text: string | undefined) => {
    if (text === undefined) return;
    const hosts = origins.foreignIn(text, side);
    if (hosts.length === 0) return;
    found.push({
      section,
      key: `${side} ${key}`,
      left: side === 'left' ? text : null,
      right: side === 'right' ? text : null,
      severity: severityOfWeaker(side, context),
      direction: weakerSide(side),
      message: `The ${side} side names ${hosts.join(', ')} in ${key}`,
      kind: side,
    });
  };
  view.redirects.forEach((hop, index) => {
    look('redirects', `hop ${index + 1}`, hop.toUrl);
  });
  view.eachHeader((name, lines) => {
    for (const line of lines) look('headers', name, line);
  });
  for (const cookie of view.envelope.cookies ?? []) look('cookies', cookie.name, cookie.domain);
  lookInBody(view, context, look);
  return found.length < 2 ? found : found.sort((a, b) => byCodeUnit(a.key, b.key));
}

const QUOTE = 34;

function lookInBody(
  view: SampleView,
  context: RuleContext,
  look: (section: 'body', key: string, text: string | undefined) => void,
): void {
  const body = view.envelope.body;
  if (!body) return;
  const canonical = view.side === context.protectedSide ? undefined : body.html?.canonical;
  const canonicalOrigin = canonical && URL.canParse(canonical) ? new URL(canonical).origin : undefined;
  for (const { origin, count } of body.origins ?? []) {
    if (origin === canonicalOrigin && count === 1) continue;
    look('body', `origin ${view.origins.foreignIn(origin, view.side)[0] ?? ''}`, origin);
  }
  const shortest = view.origins.shortestForeign(view.side);
  for (const entry of body.json?.entries ?? []) {
    const { value } = entry;
    // Most values are shorter than any host.
    if (value === undefined || value.length < shortest) continue;
    if (value.charCodeAt(0) === QUOTE) look('body', entry.pointer, value);
  }
}
