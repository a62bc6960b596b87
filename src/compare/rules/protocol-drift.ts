/** HTTP/2 or HTTP/3 that one side does not offer. */
import { sameText } from '../compare-headers.js';
import { present } from '../differences.js';
import { type Difference, NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import { isHttps } from '../security-policy.js';

export const protocolDrift: Rule = {
  code: 'PROTOCOL_DRIFT',
  version: 2,
  title: 'A newer HTTP version is not offered',
  about:
    'HTTP/2 (by ALPN) or HTTP/3 (by Alt-Svc) is offered by the reference but not by the candidate, both over https. Warning.',
  recommendation: 'Enable the newer protocol where TLS is terminated.',
  inputs: ['status'],
  claims: ['alt-svc'],
  compare(left, right) {
    if (!isHttps(left) || !isHttps(right)) return undefined;
    return present(
      difference('h2', [offersH2(left), offersH2(right)]),
      sameText(left, right, 'alt-svc') ? undefined : difference('h3', [offersH3(left), offersH3(right)]),
    );
  },
};

const OFFERS_H3 = /\bh3(-\d+)?=/;

function difference(
  key: string,
  [a, b]: readonly [string | null | undefined, string | null | undefined],
): Difference | undefined {
  if (a === undefined || b === undefined || (a === null) === (b === null)) return undefined;
  const weaker = a === null ? 'left' : 'right';
  return {
    section: 'connection',
    key,
    left: a,
    right: b,
    severity: 'warn',
    direction: weakerSide(weaker),
    message: `${NAME[weaker]} does not offer ${key}`,
  };
}

/** The handshake that offers both versions is the best source; a request over h2 or h3 also shows it. */
function offersH2(view: SampleView): string | null | undefined {
  const { exchanges, protocol } = view.envelope;
  if (view.covers('exchanges.tls') && exchanges?.tls && !exchanges.tls.error) {
    return exchanges.tls.alpn === 'h2' ? 'h2' : null;
  }
  if (view.covers('protocol') && (protocol === 'h2' || protocol === 'h3')) return protocol;
  return undefined;
}

function offersH3(view: SampleView): string | null | undefined {
  if (!view.covers('headers.extended')) return undefined;
  if (!view.lines('alt-svc')) return null;
  const offered = view.text('alt-svc');
  return offered !== null && OFFERS_H3.test(offered) ? offered : null;
}
