/** The negotiated TLS version. */
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const tlsProtocolDrift: Rule = {
  code: 'TLS_PROTOCOL_DRIFT',
  version: 2,
  title: 'TLS version is older',
  about:
    'The candidate negotiates a version below 1.2 and the reference does not: critical. It does not offer 1.3: a warning.',
  recommendation: 'Offer TLS 1.3 and 1.2 and nothing older where TLS is terminated.',
  inputs: ['status'],
  compare(left, right) {
    const a = versionOf(left);
    const b = versionOf(right);
    if (!a || !b || a.number === b.number) return undefined;
    const weaker = a.number < b.number ? 'left' : 'right';
    return {
      section: 'tls',
      key: 'version',
      left: a.name,
      right: b.name,
      severity: Math.min(a.number, b.number) < 1.2 ? 'critical' : 'warn',
      direction: weakerSide(weaker),
      message: `${NAME.left} negotiates ${a.name} and ${NAME.right} ${b.name}`,
      kind: `${a.number} ${b.number}`,
    };
  },
};

/** SSL is older than every TLS. */
function versionOf({ envelope }: SampleView): { name: string; number: number } | undefined {
  const text = envelope.exchanges?.tls?.version ?? envelope.hops?.at(-1)?.tlsVersion ?? '';
  const version = /^(?:TLS\s?v?)?(1(?:\.\d)?)$/i.exec(text.trim())?.[1];
  if (version !== undefined) return { name: `TLS ${Number(version).toFixed(1)}`, number: Number(version) };
  return /^SSL/i.test(text) ? { name: text.trim(), number: 0 } : undefined;
}
