/** The attempts of one response. The last one is described by its stream if it has no row. */
import { findProxy } from './find-proxy.js';
import type { ProxyDeps } from './proxy-deps.js';
import { type ProxyMetadata, readMetadata } from './proxy-metadata.js';
import type { Attempt } from './proxy-store.js';

export type AttemptFacts = Omit<Attempt, 'tenant' | 'response' | 'expiresAt'>;

export async function listAttempts(
  deps: ProxyDeps,
  id: string,
  tenant: string,
): Promise<readonly AttemptFacts[]> {
  const state = await findProxy(deps, id, tenant);
  const rows = await deps.store.attempts(id);
  const metadata = readMetadata(state);
  const { attempt: n = 1 } = metadata;
  const facts = rows.map(({ tenant: _tenant, response: _response, expiresAt: _expiresAt, ...row }) => row);
  // Streams of older versions, and calls without a key at the edge, have no row.
  return facts.some((row) => row.n === n) ? facts : [...facts, factsOf(metadata, n, state)];
}

function factsOf(
  metadata: ProxyMetadata,
  n: number,
  { createdAt, totalBytes }: { readonly createdAt: number; readonly totalBytes: number },
): AttemptFacts {
  const { upstream_status: status, upstream_head_ms: headMs = 0 } = metadata;
  return {
    n,
    method: metadata.upstream_method,
    target: metadata.upstream_url,
    route: metadata.route ?? null,
    startedAt: createdAt - headMs,
    headAt: status === null ? null : createdAt,
    status,
    outcome: metadata.outcome ?? null,
    error: metadata.error ?? null,
    bytes: totalBytes,
  };
}
