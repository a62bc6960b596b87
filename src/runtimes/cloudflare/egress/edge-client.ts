/** Creates the outbound client of the edge: policy, resolver and egress. */
import {
  createPolicy,
  type OutboundClient,
  type OutboundPolicy,
  outboundOver,
  USER_AGENT_DEFAULT,
} from '../../../net/index.js';
import { createDohResolver } from './doh-resolver.js';
import { createEdgeEgress } from './edge-egress.js';

export const DOH_URL_DEFAULT = 'https://cloudflare-dns.com/dns-query';

export interface EdgeClientOptions extends Pick<OutboundPolicy, 'allowPrivate'> {
  readonly dohUrl: string;
  readonly userAgent?: string;
}

export function createEdgeClient({
  dohUrl,
  allowPrivate = [],
  userAgent,
}: EdgeClientOptions): OutboundClient {
  return outboundOver(
    createEdgeEgress({
      policy: createPolicy({ allowPrivate }),
      resolver: createDohResolver(dohUrl),
      userAgent: userAgent ?? USER_AGENT_DEFAULT,
    }),
  );
}
