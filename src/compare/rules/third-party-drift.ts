/** Third-party hosts that a page loads from, on one side only. */
import { tryUrl } from '../../try-url.js';
import { assetsOf } from '../asset-urls.js';
import { oneSidedDifferences } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const thirdPartyDrift: Rule = {
  code: 'THIRD_PARTY_DRIFT',
  version: 2,
  title: 'A third party is loaded on one side only',
  about:
    'On one side only, the page loads from an origin that belongs to neither environment. A warning if it is new on the candidate, info if it is missing there.',
  recommendation:
    'Check who added the origin, and whether the privacy notice and the content security policy include it.',
  inputs: ['body.content'],
  grouped: (count) => `${count} third parties are loaded on one side only`,
  compare(left, right) {
    return oneSidedDifferences(thirdPartyHosts(left), thirdPartyHosts(right), (host, side) => ({
      section: 'body',
      severity: 'warn',
      direction: weakerSide(side),
      message: `Only ${NAME[side]} loads from ${host}`,
    }));
  },
};

function thirdPartyHosts(view: SampleView): readonly string[] {
  const { origins, side, envelope } = view;
  const hosts = [...assetsOf(view), ...(envelope.resources ?? [])]
    .map(({ url }) => tryUrl(url))
    .filter((url) => url !== undefined)
    .filter(({ protocol }) => protocol === 'http:' || protocol === 'https:')
    .map(({ host }) => host);
  return sortedSet(hosts).filter(
    (host) => !origins.isOwn(host, side) && origins.foreignIn(host, side).length === 0,
  );
}
