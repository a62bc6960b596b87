/**
 * Creates the stream of one upstream response: whole and closed if the body has already ended, otherwise with a pump
 * that fills it. A failure of the store becomes `STORAGE_ERROR`.
 */
import { asSondeError, SondeError } from '../errors.js';
import { type HopResponse, headerValues } from '../net/index.js';
import { newLife, type OwnStream, type StreamResponse, type StreamState } from '../streams/index.js';
import { bodyHeaders, contentTypeOf, encodeHeaders, safeHeaders } from './header-rules.js';
import type { ProxyDeps } from './proxy-deps.js';
import { endedMetadata, type ProxyMetadata, proxiedOf, streamIdOfProxy } from './proxy-metadata.js';
import type { PumpSource } from './pump.js';
import { COMPLETED } from './upstream-outcome.js';
import type { UpstreamRequest } from './upstream-request.js';

export type Recorded =
  | {
      readonly kind: 'stream';
      readonly id: string;
      readonly state: StreamState;
      readonly fresh: boolean;
      /** The bytes that the stream was created with. */
      readonly held?: Uint8Array;
    }
  | { readonly kind: 'response'; readonly response: StreamResponse };

export async function storeResponse(
  deps: ProxyDeps,
  request: UpstreamRequest,
  { response, sentAt }: { readonly response: HopResponse; readonly sentAt: number },
): Promise<Recorded> {
  const { settings, timers, lifetime } = deps;
  const now = timers.now();
  const id = deps.newId(now);
  const stream = {
    id: streamIdOfProxy(id),
    life: newLife(now),
    contentType: 'application/octet-stream',
    expiresAt: lifetime.now() + settings.keepMs,
    collection: proxiedOf(request.tenant),
  };
  const metadata = { ...metadataOf(deps, request, response), upstream_head_ms: now - sentAt };
  const whole = response.body.takeWhole?.();
  try {
    const stored = await (whole
      ? storeWhole(deps, stream, { whole, metadata })
      : startPump(deps, stream, { body: response.body, metadata, orphan: request.orphan }));
    return { kind: 'stream', id, fresh: true, ...stored };
  } catch (thrown) {
    response.body.cancel();
    return { kind: 'response', response: storageError(thrown, response.status) };
  }
}

type StreamIdentity = Pick<OwnStream, 'id' | 'life' | 'contentType' | 'expiresAt' | 'collection'>;

/** A response that has already ended needs no pump: its bytes, closure and outcome are one write. */
async function storeWhole(
  { streams, pumps }: ProxyDeps,
  stream: StreamIdentity,
  { whole, metadata }: { readonly whole: Uint8Array; readonly metadata: ProxyMetadata },
): Promise<{ state: StreamState; held: Uint8Array }> {
  const data = whole.length > 0 ? whole : null;
  const ended = endedMetadata(metadata, COMPLETED);
  const state = await streams.createOwn({ ...stream, data, metadata: ended, closed: true });
  pumps.countWhole(whole.length);
  return { state, held: whole };
}

async function startPump(
  { streams, store, pumps }: ProxyDeps,
  stream: StreamIdentity,
  { body, metadata, orphan }: Pick<PumpSource, 'body' | 'metadata'> & Pick<UpstreamRequest, 'orphan'>,
): Promise<{ state: StreamState; held?: Uint8Array }> {
  // Bytes that arrived with the head are stored in the same commit, so that a reader does not wait for a second one.
  const held = body.arrived?.();
  try {
    // Called in one turn, so one commit holds both. If they were split, the pump's record would come first, and the
    // next start would find it.
    const [, state] = await Promise.all([
      store.pumpStarted(stream),
      streams.createOwn({ ...stream, metadata: JSON.stringify(metadata), data: held ?? null }),
    ]);
    pumps.start({ stream, metadata, body, stored: held?.length ?? 0 }, orphan);
    return { state, ...(held && { held }) };
  } catch (thrown) {
    store.pumpEnded(stream).catch(() => {
      // The next start finds the record without a stream and removes it.
    });
    throw thrown;
  }
}

function metadataOf(
  deps: ProxyDeps,
  request: UpstreamRequest,
  { status, headers }: HopResponse,
): ProxyMetadata {
  const isAsReceived = request.keepCoding === true || headerValues(headers, 'content-encoding').length === 0;
  return {
    tenant: request.tenant,
    upstream_url: deps.redactor.text(withoutQueryValues(request.url)),
    upstream_method: request.method,
    ...(request.route !== undefined && { route: request.route }),
    upstream_status: status,
    upstream_content_type: contentTypeOf(headers),
    upstream_headers: encodeHeaders([...(isAsReceived ? bodyHeaders(headers) : []), ...safeHeaders(headers)]),
  };
}

/** Any query value may be secret, so none is kept. */
function withoutQueryValues(url: URL): string {
  const names = [...new URLSearchParams(url.search).keys()].map((name) => `${encodeURIComponent(name)}=…`);
  return `${url.origin}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`;
}

export function storageError(cause: unknown, status: number): StreamResponse {
  const { code } = asSondeError(cause);
  const message = 'The upstream responded, but the response could not be stored.';
  const error = new SondeError('STORAGE_ERROR', message, { cause, details: { reason: code } });
  return { status: 502, headers: { 'Upstream-Status': String(status) }, error };
}
