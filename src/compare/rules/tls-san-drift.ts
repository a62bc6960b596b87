/** Host names in the certificates, compared after host mapping. */
import { sortedSet } from '../fields/code-unit-order.js';
import { NAME, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import { certificateOf } from './tls-cert-drift.js';

export const tlsSanDrift: Rule = {
  code: 'TLS_SAN_DRIFT',
  version: 2,
  title: 'Certificate host names differ',
  about: 'The subject alternative names differ after host mapping. Info.',
  recommendation: 'Nothing to do unless a name that clients use is missing.',
  inputs: ['certificate'],
  compare(left, right) {
    const a = namesOf(left);
    const b = namesOf(right);
    if (!a || !b || a.mapped.join() === b.mapped.join() || a.shown.join() === b.shown.join())
      return undefined;
    return {
      section: 'tls',
      key: 'alt-names',
      left: a.shown,
      right: b.shown,
      severity: 'info',
      direction: 'changed',
      message: `The certificate of ${NAME.left} covers ${a.shown.length} hosts, that of ${NAME.right} ${b.shown.length}`,
    };
  },
};

function namesOf(view: SampleView): { shown: readonly string[]; mapped: readonly string[] } | undefined {
  const certificate = certificateOf(view);
  if (!certificate) return undefined;
  const shown = sortedSet(certificate.altNames);
  // Certificates have no ports, so names are mapped like cookie domains.
  const mapped = sortedSet(
    shown.map((name) =>
      name.replace(
        /^(DNS:(?:\*\.)?|IP Address:)(.+)$/i,
        (_, kind: string, host: string) => kind + view.origins.mapDomain(host, view.side),
      ),
    ),
  );
  return { shown, mapped };
}
