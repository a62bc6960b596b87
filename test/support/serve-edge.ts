import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEdge } from '../../scripts/edge-server.mjs';
import { credentialVariables } from '../../src/proxy/route-credential.js';
import type { ServeOptions } from '../../src/runtimes/node/server/index.js';

export interface ServedEdge {
  readonly url: string;
  /** The folder of its state. */
  readonly dataDir: string;
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

/** Converts options of the embedded server to the equivalent variables; a test's clock has none. */
export function edgeVariablesOf(options: Partial<ServeOptions>): Record<string, string> {
  const {
    auth,
    jwt,
    publicUrl,
    corsOrigins,
    bodyBytesMax,
    ratePerMinute,
    longPollMs,
    sseMs,
    serviceTokens,
    net,
    proxy,
    compare,
    audit,
  } = options;
  if (proxy?.timers) throw new Error('the edge uses the clock of its platform');
  const orphans = proxy?.settings?.orphanPolicy;
  const given = {
    SONDE_AUTH: auth,
    SONDE_JWT_SECRET: jwt?.secret,
    SONDE_PUBLIC_URL: publicUrl,
    SONDE_CORS_ORIGIN: corsOrigins?.join(','),
    SONDE_BODY_BYTES_MAX: bodyBytesMax,
    SONDE_RATE_PER_MINUTE: ratePerMinute,
    SONDE_LONG_POLL_MS: longPollMs,
    SONDE_SSE_MS: sseMs,
    SONDE_SERVICE_TOKENS: serviceTokens && JSON.stringify(serviceTokens),
    SONDE_ALLOW_PRIVATE: net?.allowPrivate?.join(','),
    SONDE_PROXY_ALLOW: proxy?.allow.join(','),
    SONDE_PROXY_ROUTES: proxy && JSON.stringify(proxy.routes),
    SONDE_SIGNING_SECRET: proxy?.signingSecrets?.join(','),
    SONDE_PROXY_HEADERS_MS: proxy?.settings?.headersMs,
    SONDE_PROXY_IDLE_MS: proxy?.settings?.idleMs,
    SONDE_PROXY_RESPONSE_BYTES_MAX: proxy?.settings?.responseBytesMax,
    SONDE_PROXY_FLUSH_BYTES: proxy?.settings?.flushBytes,
    SONDE_PROXY_FLUSH_MS: proxy?.settings?.flushMs,
    SONDE_PROXY_KEEP_MS: proxy?.settings?.keepMs,
    SONDE_PROXY_URL_MS: proxy?.settings?.urlMs,
    SONDE_PROXY_ORPHAN_POLICY: orphans && `cancel-after=${orphans.cancelAfterMs / 1000}s`,
    SONDE_PROXY_STREAMS_MAX: proxy?.settings?.pumpsMax,
    SONDE_PROBE_MS: compare?.probeMs,
    SONDE_PROBE_REDIRECTS: compare?.redirectsMax,
    SONDE_COMPARE_KEPT: compare?.kept,
    SONDE_AUDIT_FETCH_MS: audit?.fetchMs,
    SONDE_AUDIT_BODY_BYTES_MAX: audit?.bodyBytesMax,
    SONDE_AUDIT_REDIRECTS: audit?.redirectsMax,
  };
  const keys = Object.values(proxy?.routes ?? {}).flatMap(({ credential }) =>
    credentialVariables(credential).map((name) => [name, proxy?.env(name)] as const),
  );
  return Object.fromEntries(
    [...Object.entries(given), ...keys].flatMap(([name, value]) =>
      value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
    ),
  );
}

/**
 * Starts the built Worker in workerd on a free port of loopback, without authentication, with state that is removed
 * with it. Without `pages`, it has no landing page, icon or dashboard.
 */
export async function serveEdgeForTest(
  variables: Readonly<Record<string, string>> = {},
  { dataDir, pages = false }: { readonly dataDir?: string | undefined; readonly pages?: boolean } = {},
): Promise<ServedEdge> {
  const stateFolder = dataDir ?? mkdtempSync(join(tmpdir(), 'sonde-edge-'));
  const edge = await startEdge({
    stateFolder,
    pages,
    variables: { ...EDGE_VARIABLES, ...variables },
  });
  return {
    url: edge.url,
    dataDir: stateFolder,
    async stop() {
      await edge.stop();
      if (dataDir === undefined) rmSync(stateFolder, { recursive: true, force: true });
    },
  };
}
