/**
 * The TLS context that trusts the built-in roots and additional certificates. It is cached, because loading all roots
 * for every handshake takes 20 to 200 ms.
 */
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

let last: { readonly ca: string; readonly context: SecureContext } | undefined;

export function trustedContext(ca: string): SecureContext {
  if (last?.ca !== ca) last = { ca, context: createSecureContext({ ca: [...rootCertificates, ca] }) };
  return last.context;
}
