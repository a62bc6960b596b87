/** The active probe, using the edge's outbound client. The platform exposes neither DNS records nor TLS handshakes. */
import { timerTurn } from '../../../loop-turns.js';
import { createActiveProbe } from '../../../probe/index.js';
import { VERSION } from '../../../version.js';
import type { EdgeSettings } from '../edge-settings.js';
import { createEdgeClient } from '../egress/edge-client.js';

export function openEdgeProbe({ edge, compare }: EdgeSettings) {
  const { egress } = createEdgeClient(edge.net);
  const provider = createActiveProbe({
    egress,
    clock: Date.now,
    turn: timerTurn,
    runner: 'workers',
    version: VERSION,
    userAgent: edge.net.userAgent,
    totalMs: compare.probeMs,
    redirectsMax: compare.redirectsMax,
  });
  return { provider, egress };
}
