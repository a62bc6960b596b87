/** `sonde/probe` on Node: the active provider on the guarded door, ready to use, and all of the core's probe part. */
import { createActiveProbe, type ISignalProvider } from '../../probe/index.js';
import { VERSION } from '../../version.js';
import { createCaresResolver } from './egress/cares-resolver.js';
import { createNodeInspector } from './egress/node-inspector.js';
import { createDoor, type Door, type DoorOptions, USER_AGENT_DEFAULT } from './net.js';
import { sha256 } from './sha256.js';

export * from '../../probe/index.js';

export interface ProbeDoor {
  readonly provider: ISignalProvider;
  readonly door: Door;
  close(): Promise<void>;
}

export interface ProbeDoorOptions extends DoorOptions {
  /** Where this runner stands, as its operator calls it. */
  readonly region?: string;
  /** Of one look, all of it: 10 s and 10 redirects unless said otherwise. */
  readonly totalMs?: number;
  readonly redirectsMax?: number;
}

export function openProbeDoor(options: ProbeDoorOptions = {}): ProbeDoor {
  const door = createDoor(options);
  const { dnsServers, ca, region, totalMs, redirectsMax, userAgent = USER_AGENT_DEFAULT } = options;
  const servers = dnsServers && { servers: dnsServers };
  const provider = createActiveProbe({
    egress: door.egress,
    inspector: createNodeInspector({
      policy: door.egress.policy,
      resolver: createCaresResolver({ ...servers }),
      ...servers,
      ...(ca !== undefined && { ca }),
    }),
    clock: Date.now,
    runner: 'node',
    sha256,
    version: VERSION,
    userAgent,
    ...(region !== undefined && { region }),
    ...(totalMs !== undefined && { totalMs }),
    ...(redirectsMax !== undefined && { redirectsMax }),
  });
  return { provider, door, close: () => door.close() };
}

let shared: ProbeDoor | undefined;

/** The provider with the closed policy and all defaults. Its door is opened by the first probe. */
export const activeProbeProvider: ISignalProvider = {
  probe(url, context) {
    shared ??= openProbeDoor();
    return shared.provider.probe(url, context);
  },
};
