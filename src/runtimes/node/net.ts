/** `sonde/net` on Node: the egress layer, ready to use, and all of the core's net part. */
import {
  createPolicy,
  type OutboundClient,
  outboundOver,
  type Refusal,
  USER_AGENT_DEFAULT,
} from '../../net/index.js';
import { createCaresResolver } from './egress/cares-resolver.js';
import { ownAddresses } from './egress/own-addresses.js';
import { createSocketDialer } from './egress/socket-dialer.js';
import { createNodeEgress } from './egress/undici-egress.js';

export * from '../../errors.js';
export * from '../../net/index.js';
export { AGENT_OPTIONS } from './egress/undici-egress.js';

export interface OutboundOptions {
  /** Origins for which loopback, RFC 1918, CGNAT and ULA are opened; on loopback the port may be a star. */
  readonly allowPrivate?: readonly string[];
  /** Origins that are opened for now, read again at each judgement of a URL. */
  readonly openOrigins?: () => readonly string[];
  /** Ports of our own listeners, which no wildcard opens. */
  readonly ownPorts?: () => readonly number[];
  /** Called with every refusal of the policy. */
  readonly onRefused?: (refusal: Refusal) => void;
  /** `name` or `name:port` → `address:port`. */
  readonly connectTo?: Readonly<Record<string, string>>;
  /** PEM text of certificates trusted besides the built-in roots. */
  readonly ca?: string;
  /** `address` or `address:port`; the system's name servers without it. */
  readonly dnsServers?: readonly string[];
  readonly userAgent?: string;
  /** Sockets to one origin; further requests wait for one. */
  readonly connectionsPerOrigin?: number;
}

export function createOutboundClient(options: OutboundOptions = {}): OutboundClient {
  const egress = createNodeEgress({
    policy: createPolicy({ ...options, ownAddresses }),
    resolver: createCaresResolver({ ...(options.dnsServers && { servers: options.dnsServers }) }),
    dialer: createSocketDialer({ ...(options.ca !== undefined && { ca: options.ca }) }),
    userAgent: options.userAgent ?? USER_AGENT_DEFAULT,
    ...(options.connectionsPerOrigin && { connectionsPerOrigin: options.connectionsPerOrigin }),
  });
  return outboundOver(egress);
}
