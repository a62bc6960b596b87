/**
 * Creates the stream of one upstream response: whole and closed if the body has already ended, otherwise with a pump
 * that fills it. A failure of the store becomes `STORAGE_ERROR`.
 */
import { asSondeError, SondeError } from '../errors.js';
import type { HopResponse } from '../net/index.js';
import type { OwnStream, StreamResponse, StreamState } from '../streams/index.js';
import { metadataOf, type RunningAttempt, streamOf } from './attempts.js';
import type { ProxyDeps } from './proxy-deps.js';
import { endedMetadata, type ProxyMetadata } from './proxy-metadata.js';
import type { AttemptProgress } from './proxy-store.js';
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
  {
    response,
    attempt,
    sentAt,
  }: {
    readonly response: HopResponse;
    readonly attempt: RunningAttempt;
    readonly sentAt: number;
  },
): Promise<Recorded> {
  const { row } = attempt;
  const id = row.response;
  const stream = streamOf(row, deps);
  const headAt = deps.timers.now();
  const metadata = {
    ...metadataOf(row, response, request.keepCoding),
    upstream_head_ms: headAt - sentAt,
  };
  const progress = { response: id, n: row.n, headAt, status: response.status };
  const whole = response.body.takeWhole?.();
  try {
    const stored = await (whole
      ? storeWhole(deps, stream, { whole, metadata, progress, attempt })
      : startPump(deps, stream, {
          body: response.body,
          metadata,
          progress,
          attempt,
          orphan: request.orphan,
        }));
    return { kind: 'stream', id, fresh: true, ...stored };
  } catch (thrown) {
    response.body.cancel();
    const lost = { ...progress, outcome: 'failed', error: 'STORAGE_ERROR' } as const;
    attempt.progressed(lost).catch(() => {
      // The next start ends it.
    });
    return { kind: 'response', response: storageError(thrown, response.status) };
  }
}

type StreamIdentity = Pick<OwnStream, 'id' | 'life' | 'contentType' | 'expiresAt' | 'collection'>;

interface Recording {
  readonly attempt: RunningAttempt;
  readonly metadata: ProxyMetadata;
  readonly progress: AttemptProgress;
}

/**
 * A response that has already ended needs no pump: its bytes, closure and outcome are one write. Here and below, all
 * calls of one turn share a commit. If they were split, the stream would come last, and the next start would find the
 * others.
 */
async function storeWhole(
  { streams, pumps }: ProxyDeps,
  stream: StreamIdentity,
  { whole, metadata, progress, attempt }: Recording & { readonly whole: Uint8Array },
): Promise<{ state: StreamState; held: Uint8Array }> {
  const data = whole.length > 0 ? whole : null;
  const ended = endedMetadata(metadata, COMPLETED);
  const [, state] = await Promise.all([
    attempt.progressed({ ...progress, ...COMPLETED, bytes: whole.length }),
    streams.createOwn({ ...stream, data, metadata: ended, closed: true }, attempt.replaces),
  ]);
  pumps.countWhole(whole.length);
  return { state, held: whole };
}

async function startPump(
  { streams, store, pumps }: ProxyDeps,
  stream: StreamIdentity,
  {
    body,
    metadata,
    progress,
    attempt,
    orphan,
  }: Recording & Pick<PumpSource, 'body'> & Pick<UpstreamRequest, 'orphan'>,
): Promise<{ state: StreamState; held?: Uint8Array }> {
  // Bytes that arrived with the head are stored in the same commit, so that a reader does not wait for a second one.
  const held = body.arrived?.();
  try {
    const [, , state] = await Promise.all([
      store.pumpStarted(stream),
      attempt.progressed(progress),
      streams.createOwn(
        { ...stream, metadata: JSON.stringify(metadata), data: held ?? null },
        attempt.replaces,
      ),
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

export function storageError(cause: unknown, status: number): StreamResponse {
  const { code } = asSondeError(cause);
  const message = 'The upstream responded, but the response could not be stored.';
  const error = new SondeError('STORAGE_ERROR', message, { cause, details: { reason: code } });
  return { status: 502, headers: { 'Upstream-Status': String(status) }, error };
}
