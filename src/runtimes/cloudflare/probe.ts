/**
 * `sonde/probe` outside Node, on anything with the web's `fetch`: the active provider on the egress layer of the edge,
 * and all of the core's probe part.
 */
import { USER_AGENT_DEFAULT } from '../../net/index.js';
import { createActiveProbe, type ISignalProvider } from '../../probe/index.js';
import { VERSION } from '../../version.js';
import { createEdgeClient, DOH_URL_DEFAULT } from './egress/edge-client.js';

export * from '../../probe/index.js';

export interface ProbeClient {
  readonly provider: ISignalProvider;
}

export interface ProbeClientOptions {
  /** Origins at private addresses that may be probed. */
  readonly allowPrivate?: readonly string[];
  /** Where names are resolved before each hop: DNS over HTTPS in its JSON form. */
  readonly dohUrl?: string;
  readonly userAgent?: string;
  /** Where this runner stands, as its operator calls it. */
  readonly region?: string;
  /** Per probe: 10 s and 10 redirects by default. */
  readonly totalMs?: number;
  readonly redirectsMax?: number;
}

export function openProbeClient(options: ProbeClientOptions = {}): ProbeClient {
  const { allowPrivate = [], dohUrl = DOH_URL_DEFAULT, userAgent = USER_AGENT_DEFAULT, ...rest } = options;
  const { egress } = createEdgeClient({ allowPrivate, dohUrl, userAgent });
  const deps = { clock: Date.now, runner: 'workers', version: VERSION, userAgent };
  return { provider: createActiveProbe({ egress, ...deps, ...rest }) };
}

let shared: ProbeClient | undefined;

/** The provider with the closed policy and all defaults. */
export const activeProbeProvider: ISignalProvider = {
  probe(url, context) {
    shared ??= openProbeClient();
    return shared.provider.probe(url, context);
  },
};
