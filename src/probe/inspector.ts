/**
 * The port for network checks other than HTTP: the DNS records of a name, and one TLS handshake. Both take a judged
 * target and apply the same policy as a request: a refused address is neither dialled nor reported. A platform that
 * supports neither omits the port.
 */
import type { Target } from '../net/index.js';
import type { DnsFacts, TlsExchange } from './exchange-facts.js';

export interface Inspector {
  /** Rejects with a coded error. An empty list means that the name has no such record. */
  dnsRecords(target: Target, signal: AbortSignal): Promise<Omit<DnsFacts, 'error'>>;
  /** Offers h2 and http/1.1, accepts any certificate to inspect it, sends no request. Rejects with a coded error. */
  handshake(target: Target, signal: AbortSignal): Promise<Omit<TlsExchange, 'error'>>;
}
