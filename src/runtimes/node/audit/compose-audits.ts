/** Composes the ports of an audit on Node, over one outbound client. */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { AuditPorts, FetchBounds } from '../../../audits/index.js';
import { createCaresResolver } from '../egress/cares-resolver.js';
import { createNodeInspector } from '../egress/node-inspector.js';
import type { OutboundClient, OutboundOptions } from '../net.js';
import { sha256 } from '../sha256.js';
import { createAlpnProbe } from './alpn-probe.js';
import { createTextRecords } from './cares-text-records.js';
import type { DocumentThreads } from './document-threads.js';

export interface AuditClientOptions extends OutboundOptions {
  readonly bounds?: FetchBounds;
}

export function composeAudits(
  outbound: OutboundClient,
  options: AuditClientOptions,
  documents: DocumentThreads,
): { readonly ports: AuditPorts; close(): Promise<void> } {
  const { dnsServers: servers, ca, bounds } = options;
  const { egress } = outbound;
  const inspector = createNodeInspector({
    policy: egress.policy,
    resolver: createCaresResolver({ servers }),
    ca,
  });
  return {
    ports: {
      egress,
      ...(bounds && { bounds }),
      clock: {
        now: Date.now,
        // A timer of 0 waits for a whole millisecond, which adds up over the hundreds of pauses of a report.
        sleep(ms, signal) {
          const options = signal && { signal };
          return ms === 0 ? nextTurn(undefined, options) : wait(ms, undefined, options);
        },
      },
      documents,
      alpn: createAlpnProbe(egress.policy, inspector),
      textRecords: createTextRecords(servers),
      // Synchronous, because the asynchronous one blocked the main thread for longer than the hash itself takes.
      sha256,
      random: Math.random,
    },
    close: () => documents.close(),
  };
}
