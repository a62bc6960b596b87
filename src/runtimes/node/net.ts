/** `sonde/net` on Node: an outbound client, and what `sonde/net` exports everywhere. */
import {
  createFetchEgress,
  createPolicy,
  type OutboundClient,
  outboundOver,
  type Refusal,
  type Resolver,
  USER_AGENT_DEFAULT,
} from '../../net/index.js';
import { createCaresResolver } from './egress/cares-resolver.js';
import { ownAddresses } from './egress/own-addresses.js';
import { createSocketDialer } from './egress/socket-dialer.js';
import { createNodeEgress } from './egress/undici-egress.js';

export * from '../../net/public.js';

export interface OutboundOptions {
  /** Origins for which loopback, RFC 1918, CGNAT and ULA addresses are allowed; on loopback the port may be `*`. */
  readonly allowPrivate?: readonly string[];
  /** Origins that are allowed temporarily; read for each URL that is judged. */
  readonly openOrigins?: () => readonly string[];
  /** Ports of our own listeners, which a wildcard does not allow. */
  readonly ownPorts?: () => readonly number[];
  /** Called with every refusal of the policy. */
  readonly onRefused?: (refusal: Refusal) => void;
  /** `name` or `name:port` → `address:port`. */
  readonly connectTo?: Readonly<Record<string, string>>;
  /** PEM text of certificates to trust in addition to the built-in roots. */
  readonly ca?: string;
  /** `address` or `address:port`; the system's name servers by default. */
  readonly dnsServers?: readonly string[];
  readonly userAgent?: string;
  /** Sockets to one origin; further requests wait for one. */
  readonly connectionsPerOrigin?: number;
  /** Answers name lookups instead of the name servers. The policy judges its addresses. */
  readonly resolver?: Resolver;
  /**
   * Sends the requests instead of our own sockets. Names are still resolved and judged first, but this function
   * connects, so nothing ensures that it uses the judged address.
   */
  readonly fetch?: typeof globalThis.fetch;
}

export function createOutboundClient(options: OutboundOptions = {}): OutboundClient {
  const { fetch, connectionsPerOrigin } = options;
  const deps = {
    policy: createPolicy({ ...options, ownAddresses }),
    resolver: resolverFor(options),
    userAgent: options.userAgent ?? USER_AGENT_DEFAULT,
  };
  return outboundOver(
    fetch
      ? createFetchEgress({ ...deps, fetch })
      : createNodeEgress({ ...deps, dialer: createSocketDialer(options), connectionsPerOrigin }),
  );
}

export function resolverFor({ resolver, dnsServers }: OutboundOptions): Resolver {
  return resolver ?? createCaresResolver({ servers: dnsServers });
}
