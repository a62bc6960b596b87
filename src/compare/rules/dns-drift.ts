/** DNS records of the two hosts: addresses always differ, but IPv6, the provider and CAA need not. */
import type { DnsFacts } from '../../probe/index.js';
import { sameLines } from '../compare-headers.js';
import { joinDifferences, NO_DIFFERENCES } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { bothValues, type Difference, NAME, presence, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const dnsDrift: Rule = {
  code: 'DNS_DRIFT',
  version: 2,
  title: 'DNS records differ',
  about:
    'Only one side has IPv6 addresses: a warning. CNAMEs point to different providers, or CAA records differ: info.',
  recommendation: 'Give both hosts AAAA records, and manage both zones from one configuration.',
  inputs: ['exchanges.dns'],
  claims: [],
  compare(left, right) {
    const a = left.envelope.exchanges?.dns;
    const b = right.envelope.exchanges?.dns;
    if (!a || !b || a.error || b.error) return NO_DIFFERENCES;
    return joinDifferences(joinDifferences(ipv6(a, b), providers(a, b, [left, right])), authorities(a, b));
  },
};

function ipv6(a: DnsFacts, b: DnsFacts): readonly Difference[] {
  if (!a.aaaa || !b.aaaa || (a.aaaa.length === 0) === (b.aaaa.length === 0)) return NO_DIFFERENCES;
  const weaker = a.aaaa.length === 0 ? 'left' : 'right';
  return [
    {
      section: 'exchanges',
      key: 'aaaa',
      left: a.aaaa,
      right: b.aaaa,
      severity: 'warn',
      direction: weakerSide(weaker),
      message: `${NAME[weaker]} has no IPv6 address`,
    },
  ];
}

function providers(
  a: DnsFacts,
  b: DnsFacts,
  [left, right]: readonly [SampleView, SampleView],
): readonly Difference[] {
  const x = providerOf(a, left);
  const y = providerOf(b, right);
  return sameLines(x, y) ? NO_DIFFERENCES : [information('provider', x, y)];
}

/** The last two labels of each CNAME, except names under the side's own host. */
function providerOf({ cname = [] }: DnsFacts, view: SampleView): readonly string[] {
  if (cname.length === 0) return cname;
  const providers: string[] = [];
  for (const written of cname) {
    const name = (written.endsWith('.') ? written.slice(0, -1) : written).toLowerCase();
    if (!view.origins.isOwn(name, view.side)) providers.push(lastTwoLabels(name));
  }
  return sortedSet(providers);
}

function lastTwoLabels(name: string): string {
  const dot = name.lastIndexOf('.');
  const before = dot <= 0 ? -1 : name.lastIndexOf('.', dot - 1);
  return before < 0 ? name : name.slice(before + 1);
}

function authorities(a: DnsFacts, b: DnsFacts): readonly Difference[] {
  if (!a.caa || !b.caa || sameLines(a.caa, b.caa)) return NO_DIFFERENCES;
  return [information('caa', a.caa, b.caa)];
}

function information(key: string, left: readonly string[], right: readonly string[]): Difference {
  return {
    section: 'exchanges',
    key,
    left: left.length === 0 ? null : left,
    right: right.length === 0 ? null : right,
    severity: 'info',
    direction: presence(left[0], right[0]),
    message: bothValues(`The DNS ${key}`, left.join(', ') || null, right.join(', ') || null),
  };
}
