import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEdge } from '../../scripts/edge-server.mjs';

export interface ServedEdge {
  readonly url: string;
  stop(): Promise<void>;
}

/** Without authentication or a rate limit, and with a short long-poll. */
export const EDGE_VARIABLES: Readonly<Record<string, string>> = {
  SONDE_SECRET: 'a secret for tests only, 43 characters long',
  SONDE_AUTH: 'none',
  SONDE_RATE_PER_MINUTE: '0',
  SONDE_LONG_POLL_MS: '500',
  SONDE_BODY_BYTES_MAX: '16MiB',
};

/** The built Worker in workerd on a free port of loopback, without authentication, on state that goes with it. */
export async function serveEdgeForTest(
  variables: Readonly<Record<string, string>> = {},
): Promise<ServedEdge> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'sonde-edge-'));
  const edge = await startEdge({
    stateFolder,
    variables: { ...EDGE_VARIABLES, ...variables },
  });
  return {
    url: edge.url,
    async stop() {
      await edge.stop();
      rmSync(stateFolder, { recursive: true, force: true });
    },
  };
}
