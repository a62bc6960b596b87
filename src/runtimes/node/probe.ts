/** `sonde/probe` on Node: an active probe that uses the egress layer, and what `sonde/probe` exports everywhere. */

import { type OutboundClient, USER_AGENT_DEFAULT } from '../../net/index.js';
import { createActiveProbe, type ISignalProvider } from '../../probe/index.js';
import { VERSION } from '../../version.js';
import { createNodeInspector } from './egress/node-inspector.js';
import { createOutboundClient, type OutboundOptions, resolverFor } from './net.js';
import { nextTurn } from './next-turn.js';
import { sha256 } from './sha256.js';

export * from '../../probe/public.js';

export interface ProbeClient {
  readonly provider: ISignalProvider;
  readonly outbound: OutboundClient;
  close(): Promise<void>;
}

export interface ProbeClientOptions extends OutboundOptions {
  /** A name for the location of this runner. */
  readonly region?: string;
  /** Limits of one whole probe: 10 s and 10 redirects by default. */
  readonly totalMs?: number;
  readonly redirectsMax?: number;
}

export function openProbeClient(options: ProbeClientOptions = {}): ProbeClient {
  const outbound = createOutboundClient(options);
  const { dnsServers, ca, region, totalMs, redirectsMax, userAgent = USER_AGENT_DEFAULT } = options;
  const { egress } = outbound;
  const inspected = { policy: egress.policy, resolver: resolverFor(options), servers: dnsServers, ca };
  const provider = createActiveProbe({
    egress,
    // It opens connections itself, which a given `fetch` replaces.
    ...(!options.fetch && { inspector: createNodeInspector(inspected) }),
    clock: Date.now,
    runner: 'node',
    sha256,
    turn: nextTurn,
    version: VERSION,
    userAgent,
    ...(region !== undefined && { region }),
    ...(totalMs !== undefined && { totalMs }),
    ...(redirectsMax !== undefined && { redirectsMax }),
  });
  return { provider, outbound, close: () => outbound.close() };
}

let shared: ProbeClient | undefined;

/** A provider with the default policy, which blocks private addresses, and default options. Opened on first use. */
export const activeProbeProvider: ISignalProvider = {
  probe(url, context) {
    shared ??= openProbeClient();
    return shared.provider.probe(url, context);
  },
};
