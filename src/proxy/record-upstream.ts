/**
 * Sends a request and records its response. With a key, the key is stored before anything is sent, and its outcome
 * before it is returned: one key is at most one request to the upstream. What a crash leaves undecided is reported as
 * `CREATE_INDETERMINATE`; nothing is sent again.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { asSondeError, SondeError } from '../errors.js';
import { hashParts, headerValues } from '../net/index.js';
import type { StreamAnswer } from '../streams/index.js';
import { errorAnswerBytes } from './error-answer-bytes.js';
import { HeadWait } from './head-wait.js';
import { type IsError, openUpstream } from './open-upstream.js';
import { readMetadata, streamIdOfProxy } from './proxy-metadata.js';
import type { ProxyParts } from './proxy-parts.js';
import type { CreateRecord, CreateResult } from './proxy-store.js';
import { type Recorded, storageError, storeResponse } from './store-response.js';
import type { UpstreamRequest } from './upstream-request.js';

const RETRY_SECONDS = 1;

/** On every response that repeats the outcome of an earlier request. */
export const REPLAYED: Readonly<Record<string, string>> = { 'Idempotent-Replayed': 'true' };

/** `isError` says which statuses are not recorded. */
export async function recordUpstream(
  parts: ProxyParts,
  request: UpstreamRequest,
  isError: IsError,
): Promise<Recorded> {
  const { pumps, creating, opening, settings, timers } = parts;
  if (request.key === null) {
    // Responses that have not begun count too, or slow upstreams would go unbounded.
    if (pumps.size + opening.count >= settings.pumpsMax) return { kind: 'answer', answer: tooMany(parts) };
    const wait = new HeadWait(timers, request);
    return (await sendAndRecord(parts, request, { isError, wait })).recorded;
  }
  const key = hashParts([request.tenant, request.key]);
  const fingerprint = fingerprintOf(request);
  const running = creating.get(key);
  if (running) {
    if (running.fingerprint !== fingerprint) throw keyReused();
    running.wait.renew();
    return { kind: 'answer', answer: inProgress() };
  }
  const wait = new HeadWait(timers, request);
  creating.set(key, { fingerprint, wait });
  try {
    return await recordOnce(parts, { request, isError, wait, key, fingerprint });
  } finally {
    wait.finish();
    creating.delete(key);
  }
}

interface KeyedRequest {
  readonly request: UpstreamRequest;
  readonly isError: IsError;
  readonly wait: HeadWait;
  readonly key: string;
  readonly fingerprint: string;
}

async function recordOnce(
  parts: ProxyParts,
  { request, isError, wait, key, fingerprint }: KeyedRequest,
): Promise<Recorded> {
  const { store, timers, settings, pumps, opening } = parts;
  const now = timers.now();
  const known = await store.beginCreate({ key, fingerprint, now, expiresAt: now + settings.keepMs });
  if (known) return replay(parts, known, fingerprint);
  if (pumps.size + opening.count >= settings.pumpsMax) {
    await store.dropCreate(key);
    return { kind: 'answer', answer: tooMany(parts) };
  }
  let outcome: Sent;
  try {
    outcome = await sendAndRecord(parts, request, { isError, wait });
  } catch (thrown) {
    // An invalid request was not sent. Anything else that is thrown leaves the key undecided.
    if (asSondeError(thrown).code === 'INVALID_REQUEST') await store.dropCreate(key);
    throw thrown;
  }
  const { recorded, sent } = outcome;
  try {
    if (sent) await store.endCreate(key, resultOf(recorded));
    else await store.dropCreate(key);
    return recorded;
  } catch (thrown) {
    // The stream may exist, but a repeat would not find it: better to fail now.
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
  /** False if certainly nothing was sent. */
  readonly sent: boolean;
}

async function sendAndRecord(
  parts: ProxyParts,
  request: UpstreamRequest,
  options: { readonly isError: IsError; readonly wait: HeadWait },
): Promise<Sent> {
  parts.opening.count++;
  try {
    const opened = await openUpstream(parts, request, options);
    if (!opened.ok) return { recorded: { kind: 'answer', answer: opened.answer }, sent: opened.sent };
    return { recorded: await storeResponse(parts, request, opened.response), sent: true };
  } finally {
    parts.opening.count--;
  }
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

function tooMany({ settings: { pumpsMax: max } }: ProxyParts): StreamAnswer {
  const error = new SondeError('TOO_MANY_STREAMS', `At most ${max} upstream answers are under way at once.`, {
    details: { max },
  });
  return { status: 429, headers: { 'Retry-After': String(RETRY_SECONDS) }, error };
}

function keyReused(): SondeError {
  return new SondeError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request.');
}
