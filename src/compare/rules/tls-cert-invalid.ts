/** A certificate that does not verify, on one side only. */
import { differencesOfSides } from '../differences.js';
import { type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const tlsCertInvalid: Rule = {
  code: 'TLS_CERT_INVALID',
  version: 1,
  title: 'The certificate does not verify',
  about:
    "A side's certificate is refused (expired, self-signed, wrong name, unknown issuer). Critical on one side; information when both are refused for the same reason.",
  recommendation: 'Renew or reissue the certificate, send the whole chain, and check the host names in it.',
  inputs: ['outcome'],
  claims: [],
  sampled: true,
  compare(left, right) {
    const faults = { left: faultOf(left), right: faultOf(right) };
    const both = faults.left !== null && faults.left === faults.right;
    return differencesOfSides((side) => {
      const fault = faults[side];
      if (fault === null || (both && side === 'left')) return undefined;
      return {
        section: 'tls',
        key: both ? 'both' : side,
        left: faults.left,
        right: faults.right,
        severity: both ? 'info' : 'critical',
        direction: both ? 'changed' : weakerSide(side),
        message: `The certificate of ${both ? 'both sides' : `the ${side} side`} does not verify: ${fault}`,
        kind: fault,
      };
    });
  },
};

function faultOf(view: SampleView): string | null {
  if (view.error?.code === 'tls_error') return view.error.details?.reason ?? 'tls_error';
  const tls = view.covers('exchanges.tls') ? view.envelope.exchanges?.tls : undefined;
  return tls?.authorized === false ? (tls.authorizationError ?? 'not authorized') : null;
}
