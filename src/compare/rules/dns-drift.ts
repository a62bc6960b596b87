/** DNS records of the two hosts: addresses always differ, but IPv6, the provider and CAA need not. */
import type { DnsFacts } from '../../probe/index.js';
import { sameLines } from '../compare-headers.js';
import { present } from '../differences.js';
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
  compare(left, right) {
    const a = left.envelope.exchanges?.dns;
    const b = right.envelope.exchanges?.dns;
    if (!a || !b || a.error || b.error) return undefined;
    return present(
      ipv6(a, b),
      information('provider', providersOf(a, left), providersOf(b, right)),
      a.caa && b.caa && information('caa', a.caa, b.caa),
    );
  },
};

function ipv6(a: DnsFacts, b: DnsFacts): Difference | undefined {
  if (!a.aaaa || !b.aaaa || (a.aaaa.length === 0) === (b.aaaa.length === 0)) return undefined;
  const weaker = a.aaaa.length === 0 ? 'left' : 'right';
  return {
    section: 'exchanges',
    key: 'aaaa',
    left: a.aaaa,
    right: b.aaaa,
    severity: 'warn',
    direction: weakerSide(weaker),
    message: `${NAME[weaker]} has no IPv6 address`,
  };
}

/** The last two labels of each CNAME, except names under the side's own host. */
function providersOf({ cname = [] }: DnsFacts, view: SampleView): readonly string[] {
  if (cname.length === 0) return cname;
  const names = cname.map((name) => name.replace(/\.$/, '').toLowerCase());
  const foreign = names.filter((name) => !view.origins.isOwn(name, view.side));
  return sortedSet(foreign.map((name) => name.split('.').slice(-2).join('.')));
}

function information(key: string, left: readonly string[], right: readonly string[]): Difference | undefined {
  if (sameLines(left, right)) return undefined;
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
