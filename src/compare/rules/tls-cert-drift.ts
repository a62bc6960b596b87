/** Certificates that differ in issuer, key or chain length. Names and serial numbers always differ. */
import type { CertificateFacts } from '../../probe/index.js';
import { differencesOf } from '../differences.js';
import type { FindingValue } from '../finding.js';
import { bothValues, type Rule, weakerBelow, worstAndMore } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const tlsCertDrift: Rule = {
  code: 'TLS_CERT_DRIFT',
  version: 2,
  title: 'Certificates differ',
  about:
    'The issuer, key type, key size or chain length differs. Warning; info if the candidate has the larger key.',
  recommendation:
    'Use the same authority and key type; a private authority on one side hides trust problems.',
  inputs: ['certificate'],
  grouped: worstAndMore,
  compare(left, right) {
    const a = certificateOf(left);
    const b = certificateOf(right);
    if (!a || !b || (a.sha256 !== undefined && a.sha256 === b.sha256)) return [];
    const facts: readonly (readonly [string, FindingValue | undefined, FindingValue | undefined])[] = [
      ['issuer', organisation(a.issuer), organisation(b.issuer)],
      ['key', keyOf(a), keyOf(b)],
      ['chain-length', chainOf(left), chainOf(right)],
    ];
    return differencesOf(facts, ([key, x, y]) => {
      if (x === undefined || y === undefined || x === y) return undefined;
      return {
        section: 'tls',
        key,
        left: x,
        right: y,
        severity: 'warn',
        direction:
          key === 'key' && a.keyType === b.keyType ? weakerBelow(a.keyBits ?? 0, b.keyBits ?? 0) : 'changed',
        message: bothValues(`The certificate's ${key.replace('-', ' ')}`, String(x), String(y)),
      };
    });
  },
};

/** Prefers the certificate of the handshake, which includes the key, over that of the request. */
export function certificateOf({ envelope }: SampleView): CertificateFacts | undefined {
  return envelope.exchanges?.tls?.certificate ?? envelope.certificate;
}

/** Authorities rotate their intermediates (R10, R11, E5), so only the organisation is compared. */
function organisation(issuer: string): string {
  return /(?:^|[\n,/])[ \t]*O[ \t]*=[ \t]*("[^"]*"|[^\n,/]+)/.exec(issuer)?.[1]?.trim() ?? issuer;
}

function keyOf({ keyType, keyBits }: CertificateFacts): string | undefined {
  return keyType === undefined
    ? undefined
    : [keyType, keyBits].filter((part) => part !== undefined).join(' ');
}

function chainOf({ envelope }: SampleView): number | undefined {
  return envelope.exchanges?.tls?.chain?.length;
}
