/** Visitors stay on, or are sent back to, plain http on one side only. */
import { present } from '../differences.js';
import { type Difference, NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const httpsEnforcementDrift: Rule = {
  code: 'HTTPS_ENFORCEMENT_DRIFT',
  version: 2,
  title: 'HTTPS is not enforced',
  about:
    'The candidate does not redirect http to https, or redirects from https to http, and the reference does it correctly. Critical.',
  recommendation: 'Redirect http to https at the edge, and make sure no redirect leads back to http.',
  inputs: ['redirects'],
  compare(left, right) {
    return present(compareWith(left, right, DOWNGRADE), compareWith(left, right, UPGRADE));
  },
};

type Fault = readonly [key: string, fault: (view: SampleView) => string | null | undefined];

const DOWNGRADE: Fault = ['downgrade', downgrade];
const UPGRADE: Fault = ['upgrade', missingUpgrade];

/** `fault` returns what is wrong with a side, null if nothing is, and undefined if it is unknown. */
function compareWith(left: SampleView, right: SampleView, [key, fault]: Fault): Difference | undefined {
  const faults = { left: fault(left), right: fault(right) };
  if (faults.left === undefined || faults.right === undefined) return undefined;
  if ((faults.left === null) === (faults.right === null)) return undefined;
  const weaker = faults.left === null ? 'right' : 'left';
  return {
    section: 'redirects',
    key,
    left: faults.left,
    right: faults.right,
    severity: 'critical',
    direction: weakerSide(weaker),
    message: `Only ${NAME[weaker]} ${key === 'upgrade' ? 'does not redirect http to https' : 'redirects from https to http'}`,
  };
}

function downgrade({ redirects, error }: SampleView): string | null {
  if (error?.code === 'redirect_downgrade') return error.details?.url ?? error.message;
  const hop = redirects.find(
    ({ fromUrl, toUrl }) => fromUrl.startsWith('https:') && toUrl.startsWith('http:'),
  );
  return hop ? `${hop.fromUrl} → ${hop.toUrl}` : null;
}

function missingUpgrade(view: SampleView): string | null | undefined {
  if (view.envelope.requestedUrl.startsWith('http:')) {
    if (!view.finalUrl) return undefined;
    return view.finalUrl.protocol === 'https:' ? null : `ends at ${view.finalUrl.href}`;
  }
  const variant = view.envelope.exchanges?.httpVariant;
  if (!variant || !view.covers('exchanges.httpVariant') || variant.status === undefined) return undefined;
  const location = variant.headers?.['location']?.[0] ?? '';
  const upgrades = variant.status >= 300 && variant.status < 400 && /^https:/i.test(location);
  return upgrades ? null : `http returns ${variant.status}${location === '' ? '' : ` → ${location}`}`;
}
