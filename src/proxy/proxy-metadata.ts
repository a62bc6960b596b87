/**
 * The metadata stored with the stream of an upstream response: enough to rebuild the response after a restart. The URL
 * is stored redacted; the headers and body of the request are never stored.
 */
import { joinHeaders } from '../join-headers.js';
import type { StreamState } from '../streams/index.js';
import type { Ending, UpstreamFault, UpstreamOutcome } from './upstream-outcome.js';

export interface ProxyMetadata {
  readonly tenant: string;
  readonly upstream_url: string;
  readonly upstream_method: string;
  /** The inline route that was called; absent for `/v1/proxy`. */
  readonly route?: string;
  /** The attempt that this is the response of; absent for the first. */
  readonly attempt?: number;
  /** From sending the request to the response head. Absent without a head, and in streams of older versions. */
  readonly upstream_head_ms?: number;
  /** Null if there was no response head. */
  readonly upstream_status: number | null;
  readonly upstream_content_type: string | null;
  /** As sent in `Upstream-Headers`. */
  readonly upstream_headers: string;
  readonly outcome?: UpstreamOutcome;
  readonly error?: UpstreamFault;
}

const ID_PREFIX = 'proxy/';

/** The collection that lists a tenant's proxied streams. */
export function proxiedOf(tenant: string): string {
  return `${ID_PREFIX}${tenant}`;
}

export function streamIdOfProxy(id: string): string {
  return `${ID_PREFIX}${id}`;
}

/** The id of a response by that of its stream. */
export function responseOf(streamId: string): string {
  return streamId.slice(ID_PREFIX.length);
}

export function readMetadata({ metadata }: Pick<StreamState, 'metadata'>): ProxyMetadata {
  return JSON.parse(metadata ?? '{}') as ProxyMetadata;
}

export function endedMetadata(metadata: ProxyMetadata, { outcome, error }: Ending): string {
  return JSON.stringify({ ...metadata, outcome, ...(error && { error }) });
}

/** `Upstream-*` headers of every response about the stream. */
export function upstreamHeaders(metadata: ProxyMetadata): Record<string, string> {
  const type = metadata.upstream_content_type;
  const status = metadata.upstream_status;
  return joinHeaders(
    type !== null && { 'Upstream-Content-Type': type },
    status !== null && { 'Upstream-Status': String(status) },
    { 'Upstream-Headers': metadata.upstream_headers },
    attemptHeader(metadata.attempt),
  );
}

/** The number of the attempt, after the first one. */
export function attemptHeader(attempt = 1): Record<string, string> {
  return attempt > 1 ? { 'Sonde-Attempt': String(attempt) } : {};
}

/** Absent while the upstream is still sending. */
export function outcomeHeaders({ outcome, error }: ProxyMetadata): Record<string, string> {
  return {
    ...(outcome && { 'Upstream-Outcome': outcome }),
    ...(error && { 'Upstream-Error': error }),
  };
}
