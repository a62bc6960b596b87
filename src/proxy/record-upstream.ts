/**
 * From a request to a stream that its answer flows into. With a key, the key is taken before anything is sent,
 * and what became of it is kept before anyone is told: one key is at most one request to the upstream. What a
 * crash leaves undecided is said to be so; nothing is sent again.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { asSondeError, SondeError } from '../errors.js';
import { type HopResponse, hashParts, headerValues } from '../net/index.js';
import { newLife, type StreamAnswer, type StreamState } from '../streams/index.js';
import { errorAnswerBytes } from './error-answer-bytes.js';
import { contentTypeOf, encodeHeaders, safeHeaders } from './header-rules.js';
import { type IsError, openUpstream } from './open-upstream.js';
import { type ProxyMetadata, readMetadata, streamIdOfProxy } from './proxy-metadata.js';
import type { ProxyParts } from './proxy-parts.js';
import type { CreateRecord, CreateResult } from './proxy-store.js';
import type { UpstreamRequest } from './upstream-request.js';

export type Recorded =
  | {
      readonly kind: 'stream';
      readonly id: string;
      readonly state: StreamState;
      readonly fresh: boolean;
      /** What the stream was made with. */
      readonly held?: Uint8Array;
    }
  | { readonly kind: 'answer'; readonly answer: StreamAnswer };

const RETRY_SECONDS = 1;

/** Of every answer that repeats what became of an earlier request. */
export const REPLAYED: Readonly<Record<string, string>> = { 'Idempotent-Replayed': 'true' };

/** `isError` says which statuses are no answer to record. */
export async function recordUpstream(
  parts: ProxyParts,
  request: UpstreamRequest,
  isError: IsError,
): Promise<Recorded> {
  const { creating } = parts;
  if (request.key === null) {
    const share = await parts.share.take(request.tenant);
    if ('max' in share) return { kind: 'answer', answer: tooMany(share.max) };
    return (await sendAndRecord(parts, request, isError).finally(share.release)).recorded;
  }
  const key = hashParts([request.tenant, request.key]);
  const fingerprint = fingerprintOf(request);
  const underWay = creating.get(key);
  if (underWay !== undefined) {
    if (underWay !== fingerprint) throw keyReused();
    return { kind: 'answer', answer: inProgress() };
  }
  creating.set(key, fingerprint);
  try {
    return await recordOnce(parts, { request, isError, key, fingerprint });
  } finally {
    creating.delete(key);
  }
}

interface KeyedRequest {
  readonly request: UpstreamRequest;
  readonly isError: IsError;
  readonly key: string;
  readonly fingerprint: string;
}

async function recordOnce(
  parts: ProxyParts,
  { request, isError, key, fingerprint }: KeyedRequest,
): Promise<Recorded> {
  const { store, timers, settings } = parts;
  const now = timers.now();
  const known = await store.beginCreate({ key, fingerprint, now, expiresAt: now + settings.keepMs });
  if (known) return replay(parts, known, fingerprint);
  const share = await parts.share.take(request.tenant);
  if ('max' in share) {
    await store.dropCreate(key);
    return { kind: 'answer', answer: tooMany(share.max) };
  }
  let outcome: Sent;
  try {
    outcome = await sendAndRecord(parts, request, isError).finally(share.release);
  } catch (thrown) {
    // What the door calls invalid it has not sent. Whatever else is thrown leaves the key undecided.
    if (asSondeError(thrown).code === 'INVALID_REQUEST') await store.dropCreate(key);
    throw thrown;
  }
  const { recorded, sent } = outcome;
  try {
    if (sent) await store.endCreate(key, resultOf(recorded));
    else await store.dropCreate(key);
    return recorded;
  } catch (thrown) {
    // The stream may be there, but a repeat could not be told so: better to know now.
    return { kind: 'answer', answer: storageError(thrown, upstreamStatusOf(recorded)) };
  }
}

function upstreamStatusOf(recorded: Recorded): number {
  if (recorded.kind === 'stream') return readMetadata(recorded.state).upstream_status;
  return Number(recorded.answer.headers['Upstream-Status'] ?? 502);
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
  if (known.fingerprint !== fingerprint) throw keyReused();
  const { result } = known;
  if (!result) {
    throw new SondeError(
      'CREATE_INDETERMINATE',
      'The server stopped while this request was under way: whether the upstream got it is not known. Use a new key to send it again.',
    );
  }
  if (result.kind === 'refused') {
    const { status, body } = result;
    const headers = { ...result.headers, ...REPLAYED };
    return { kind: 'answer', answer: { status, headers, body: { kind: 'bytes', bytes: body } } };
  }
  const state = await parts.streams.find(streamIdOfProxy(result.id));
  if (!state) throw new SondeError('STREAM_NOT_FOUND', 'The stream that this key made is no longer there.');
  return { kind: 'stream', id: result.id, state, fresh: false };
}

interface Sent {
  readonly recorded: Recorded;
  /** False where surely nothing has left. */
  readonly sent: boolean;
}

async function sendAndRecord(parts: ProxyParts, request: UpstreamRequest, isError: IsError): Promise<Sent> {
  const opened = await openUpstream(parts, request, isError);
  if (!opened.ok) return { recorded: { kind: 'answer', answer: opened.answer }, sent: opened.sent };
  return { recorded: await record(parts, request, opened.response), sent: true };
}

async function record(parts: ProxyParts, request: UpstreamRequest, response: HopResponse): Promise<Recorded> {
  const { streams, store, settings, timers } = parts;
  const now = timers.now();
  const id = parts.newId(now);
  const stream = { id: streamIdOfProxy(id), life: newLife(now) };
  const metadata = metadataOf(parts, request, response);
  // What came with the head is stored with it: one commit for both, and a short answer's reader waits for no second.
  const held = response.body.arrived?.();
  try {
    // Asked for in one turn, so one commit holds both. Were they parted, the note would be first, and a start finds it.
    const [, state] = await Promise.all([
      store.pumpStarted(stream),
      streams.createOwn({
        ...stream,
        contentType: 'application/octet-stream',
        expiresAt: now + settings.keepMs,
        metadata: JSON.stringify(metadata),
        data: held ?? null,
      }),
    ]);
    const source = { stream, metadata, body: response.body, stored: held?.length ?? 0 };
    parts.pumps.start(source, request.orphan);
    return { kind: 'stream', id, state, fresh: true, ...(held && { held }) };
  } catch (thrown) {
    response.body.cancel();
    store.pumpEnded(stream).catch(() => {
      // The next start finds the note, and no stream to it.
    });
    return { kind: 'answer', answer: storageError(thrown, response.status) };
  }
}

function metadataOf(
  parts: ProxyParts,
  request: UpstreamRequest,
  { status, headers }: HopResponse,
): ProxyMetadata {
  return {
    tenant: request.tenant,
    upstream_url: parts.redactor.text(withoutQueryValues(request.url)),
    upstream_method: request.method,
    upstream_status: status,
    upstream_content_type: contentTypeOf(headers),
    upstream_headers: encodeHeaders(safeHeaders(headers)),
  };
}

/** Which of its values are secret only the upstream knows, so none is kept. */
function withoutQueryValues(url: URL): string {
  const names = [...new URLSearchParams(url.search).keys()].map((name) => `${encodeURIComponent(name)}=…`);
  return `${url.origin}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`;
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

function tooMany(max: number): StreamAnswer {
  const error = new SondeError(
    'TOO_MANY_STREAMS',
    `The tenant has ${max} upstream responses under way, which is its limit.`,
    {
      details: { max },
    },
  );
  return { status: 429, headers: { 'Retry-After': String(RETRY_SECONDS) }, error };
}

function keyReused(): SondeError {
  return new SondeError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request.');
}
