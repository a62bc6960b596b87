/** A certificate that does not verify, on one side only. */
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const tlsCertInvalid: Rule = {
  code: 'TLS_CERT_INVALID',
  version: 2,
  title: 'Certificate is not valid',
  about:
    "Only one side's certificate is invalid (expired, self-signed, wrong name, unknown issuer). Critical. If both are invalid, it is not drift.",
  recommendation: 'Renew or reissue the certificate, send the whole chain, and check the host names in it.',
  inputs: ['outcome'],
  sampled: true,
  compare(left, right) {
    const faults = { left: faultOf(left), right: faultOf(right) };
    const fault = faults.left ?? faults.right;
    if (fault === null || (faults.left !== null && faults.right !== null)) return undefined;
    const side = faults.left === null ? 'right' : 'left';
    return {
      section: 'tls',
      key: 'certificate',
      ...faults,
      severity: 'critical',
      direction: weakerSide(side),
      message: `The certificate of ${NAME[side]} is not valid: ${fault}`,
      kind: fault,
    };
  },
};

function faultOf(view: SampleView): string | null {
  if (view.error?.code === 'tls_error') return view.error.details?.reason ?? 'tls_error';
  const tls = view.covers('exchanges.tls') ? view.envelope.exchanges?.tls : undefined;
  return tls?.authorized === false ? (tls.authorizationError ?? 'not authorized') : null;
}
