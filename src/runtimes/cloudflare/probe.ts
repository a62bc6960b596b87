/**
 * `sonde/probe` outside Node, for any runtime with the web's `fetch`: an active probe that uses the egress layer of the
 * edge, and what `sonde/probe` exports everywhere.
 */
import { USER_AGENT_DEFAULT } from '../../net/index.js';
import { createActiveProbe, type ISignalProvider } from '../../probe/index.js';
import { VERSION } from '../../version.js';
import { createEdgeClient, DOH_URL_DEFAULT, type EdgeClientOptions } from './egress/edge-client.js';

export * from '../../probe/public.js';

export interface ProbeClient {
  readonly provider: ISignalProvider;
}

export interface ProbeClientOptions extends Partial<EdgeClientOptions> {
  /** A name for the location of this runner. */
  readonly region?: string;
  /** Per probe: 10 s and 10 redirects by default. */
  readonly totalMs?: number;
  readonly redirectsMax?: number;
}

export function openProbeClient(options: ProbeClientOptions = {}): ProbeClient {
  const { dohUrl = DOH_URL_DEFAULT, userAgent = USER_AGENT_DEFAULT, ...given } = options;
  const { allowPrivate = [], fetch, resolver, ...limits } = given;
  const seams = { ...(fetch && { fetch }), ...(resolver && { resolver }) };
  const { egress } = createEdgeClient({ allowPrivate, dohUrl, userAgent, ...seams });
  const deps = { clock: Date.now, runner: 'workers', version: VERSION, userAgent };
  return { provider: createActiveProbe({ egress, ...deps, ...limits }) };
}

let shared: ProbeClient | undefined;

/** A provider with the default policy, which blocks private addresses, and default options. */
export const activeProbeProvider: ISignalProvider = {
  probe(url, context) {
    shared ??= openProbeClient();
    return shared.provider.probe(url, context);
  },
};
