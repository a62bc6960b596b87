/**
 * What a probe asks of the network besides HTTP: the records of a name, and one TLS handshake. Both take a
 * judged target and go through the same policy as a request: an address that is refused is neither dialled
 * nor reported. A platform that has neither leaves the port out.
 */
import type { Target } from '../net/index.js';
import type { DnsFacts, TlsExchange } from './exchange-facts.js';

export interface Inspector {
  /** Rejects with a coded error. An empty list means that the name has no such record. */
  dnsRecords(target: Target, signal: AbortSignal): Promise<Omit<DnsFacts, 'error'>>;
  /** Offers h2 and http/1.1, accepts any certificate in order to inspect it, sends nothing; rejects with a coded error. */
  handshake(target: Target, signal: AbortSignal): Promise<Omit<TlsExchange, 'error'>>;
}
