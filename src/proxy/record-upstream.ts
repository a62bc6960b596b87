/**
 * From a request to a stream that its answer flows into. With a key, the key is taken before anything is sent,
 * and what became of it is kept before anyone is told: one key is at most one request to the upstream. What a
 * crash leaves undecided is said to be so; nothing is sent again.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { asSondeError, SondeError } from '../errors.js';
import { type HopResponse, hashParts, headerValues } from '../net/index.js';
import type { StreamAnswer, StreamState } from '../streams/index.js';
import { errorAnswerBytes } from './error-answer-bytes.js';
import { encodeHeaders, safeHeaders } from './header-rules.js';
import { openUpstream } from './open-upstream.js';
import { type ProxyMetadata, readMetadata, streamIdOfProxy } from './proxy-metadata.js';
import type { ProxyParts } from './proxy-parts.js';
import type { CreateRecord, CreateResult } from './proxy-store.js';
import type { UpstreamRequest } from './upstream-request.js';
import { uuidV7 } from './uuid-v7.js';

export type Recorded =
  | { readonly kind: 'stream'; readonly id: string; readonly state: StreamState; readonly fresh: boolean }
  | { readonly kind: 'answer'; readonly answer: StreamAnswer };

const RETRY_SECONDS = 1;

export async function recordUpstream(
  parts: ProxyParts,
  request: UpstreamRequest,
  isError: (status: number) => boolean,
): Promise<Recorded> {
  if (parts.pumps.size >= parts.settings.pumpsMax) throw tooMany(parts.settings.pumpsMax);
  if (request.key === null) return (await sendAndRecord(parts, request, isError)).recorded;
  const key = hashParts([request.tenant, request.key]);
  if (parts.creating.has(key)) return { kind: 'answer', answer: inProgress() };
  parts.creating.add(key);
  try {
    return await recordOnce(parts, { ...request, key }, isError);
  } finally {
    parts.creating.delete(key);
  }
}

async function recordOnce(
  parts: ProxyParts,
  request: UpstreamRequest & { readonly key: string },
  isError: (status: number) => boolean,
): Promise<Recorded> {
  const { key } = request;
  const now = parts.timers.now();
  const fingerprint = fingerprintOf(request);
  const known = await parts.store.beginCreate({
    key,
    fingerprint,
    now,
    expiresAt: now + parts.settings.keepMs,
  });
  if (known) return replay(parts, known, fingerprint);
  const { recorded, sent } = await sendAndRecord(parts, request, isError);
  try {
    if (sent) await parts.store.endCreate(key, resultOf(recorded));
    else await parts.store.dropCreate(key);
    return recorded;
  } catch (thrown) {
    // The stream may be there, but a repeat could not be told so: better to know now.
    const status = recorded.kind === 'stream' ? readMetadata(recorded.state).upstream_status : 502;
    return { kind: 'answer', answer: storageError(thrown, status) };
  }
}

/** Method, URL, content type and body: what makes two requests the same. */
function fingerprintOf({ method, url, headers, body }: UpstreamRequest): string {
  const [contentType = ''] = headerValues(
    headers.map(([name, value]) => [name.toLowerCase(), value]),
    'content-type',
  );
  return hashParts([method, url.href, contentType, bytesToHex(sha256(body))]);
}

async function replay(parts: ProxyParts, known: CreateRecord, fingerprint: string): Promise<Recorded> {
  if (known.fingerprint !== fingerprint) {
    throw new SondeError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request.');
  }
  const { result } = known;
  if (!result) {
    throw new SondeError(
      'CREATE_INDETERMINATE',
      'The server stopped while this request was under way: whether the upstream got it is not known. Use a new key to send it again.',
    );
  }
  if (result.kind === 'refused') {
    const { status, headers, body } = result;
    return { kind: 'answer', answer: { status, headers, body: { kind: 'bytes', bytes: body } } };
  }
  const state = await parts.streams.find(streamIdOfProxy(result.id));
  if (!state) throw new SondeError('STREAM_NOT_FOUND', 'The stream that this key made is no longer there.');
  return { kind: 'stream', id: result.id, state, fresh: false };
}

async function sendAndRecord(
  parts: ProxyParts,
  request: UpstreamRequest,
  isError: (status: number) => boolean,
): Promise<{ readonly recorded: Recorded; readonly sent: boolean }> {
  const opened = await openUpstream(parts, request, isError);
  if (!opened.ok) return { recorded: { kind: 'answer', answer: opened.answer }, sent: opened.sent };
  return { recorded: await record(parts, request, opened.response), sent: true };
}

async function record(parts: ProxyParts, request: UpstreamRequest, response: HopResponse): Promise<Recorded> {
  const { streams, store, settings, timers } = parts;
  const now = timers.now();
  const id = uuidV7(now);
  const streamId = streamIdOfProxy(id);
  const metadata = metadataOf(parts, request, response);
  try {
    // Both leave in one turn, so one commit holds them; whichever a crash might part, the next start finds.
    const [, state] = await Promise.all([
      store.pumpStarted(streamId),
      streams.createOwn({
        id: streamId,
        contentType: 'application/octet-stream',
        expiresAt: now + settings.keepMs,
        metadata: JSON.stringify(metadata),
      }),
    ]);
    parts.pumps.start({ streamId, metadata, body: response.body }, request.orphan);
    return { kind: 'stream', id, state, fresh: true };
  } catch (thrown) {
    response.body.cancel();
    return { kind: 'answer', answer: storageError(thrown, response.status) };
  }
}

function metadataOf(
  parts: ProxyParts,
  request: UpstreamRequest,
  { status, headers }: HopResponse,
): ProxyMetadata {
  const [contentType] = headerValues(headers, 'content-type');
  return {
    tenant: request.tenant,
    upstream_url: parts.redactor.text(request.url.href),
    upstream_method: request.method,
    upstream_status: status,
    upstream_content_type: contentType ?? null,
    upstream_headers: encodeHeaders(safeHeaders(headers)),
  };
}

function storageError(cause: unknown, status: number): StreamAnswer {
  const { code } = asSondeError(cause);
  const error = new SondeError(
    'STORAGE_ERROR',
    'The upstream answered, and the answer could not be stored.',
    {
      cause,
      details: { reason: code },
    },
  );
  return { status: 502, headers: { 'Upstream-Status': String(status) }, error };
}

function resultOf(recorded: Recorded): CreateResult {
  if (recorded.kind === 'stream') return { kind: 'stream', id: recorded.id };
  const { status, headers, body, error } = recorded.answer;
  if (error) return { kind: 'refused', status, ...errorAnswerBytes(error, headers) };
  return { kind: 'refused', status, headers, body: body?.kind === 'bytes' ? body.bytes : new Uint8Array(0) };
}

function inProgress(): StreamAnswer {
  const error = new SondeError('CREATE_IN_PROGRESS', 'A request with this Idempotency-Key is under way.');
  return { status: 409, headers: { 'Retry-After': String(RETRY_SECONDS) }, error };
}

function tooMany(max: number): SondeError {
  return new SondeError('TOO_MANY_STREAMS', `At most ${max} upstream answers are under way at once.`, {
    details: { max },
  });
}
