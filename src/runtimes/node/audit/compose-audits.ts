/** Composes the ports of an audit on Node, over one outbound client. */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { AuditPorts, FetchBounds } from '../../../audits/index.js';
import { createPolicy } from '../../../net/index.js';
import { createCaresResolver } from '../egress/cares-resolver.js';
import { ownAddresses } from '../egress/own-addresses.js';
import type { OutboundClient, OutboundOptions } from '../net.js';
import { sha256 } from '../sha256.js';
import { createTextRecords } from './cares-text-records.js';
import type { DocumentThreads } from './document-threads.js';
import { createAlpnProbe } from './socket-alpn-probe.js';

export interface AuditDeps {
  readonly ports: AuditPorts;
  close(): Promise<void>;
}

export interface AuditClientOptions extends OutboundOptions {
  /** The limits of one fetch. */
  readonly bounds?: FetchBounds;
}

export function composeAudits(
  outbound: OutboundClient,
  options: AuditClientOptions,
  documents: DocumentThreads,
): AuditDeps {
  const { dnsServers: servers, bounds } = options;
  return {
    ports: {
      egress: outbound.egress,
      ...(bounds && { bounds }),
      clock: {
        now: Date.now,
        // A timer of 0 waits for a whole millisecond, which adds up over the hundreds of pauses of a report.
        sleep: (ms, signal) =>
          ms === 0
            ? nextTurn(undefined, { ...(signal && { signal }) })
            : wait(ms, undefined, { ...(signal && { signal }) }),
      },
      documents,
      alpn: createAlpnProbe({
        policy: createPolicy({ ...options, ownAddresses }),
        resolver: createCaresResolver({ ...(servers && { servers }) }),
        ...(options.ca !== undefined && { ca: options.ca }),
      }),
      textRecords: createTextRecords({ ...(servers && { servers }) }),
      // Synchronous, because the asynchronous one blocked the main thread for longer than the hash itself takes.
      sha256,
      random: Math.random,
    },
    close: () => documents.close(),
  };
}
