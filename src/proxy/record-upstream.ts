/**
 * Sends a request and records its response. A key is stored before anything is sent, and its outcome before it is
 * returned, so one key causes at most one request to the upstream. If a crash leaves the outcome unknown, a repeat gets
 * `CREATE_INDETERMINATE` and nothing is sent again.
 */

import { asSondeError, SondeError } from '../errors.js';
import { hashParts } from '../net/index.js';
import { destroyBefore, type StreamResponse } from '../streams/index.js';
import { errorResponseBytes } from './error-response-bytes.js';
import { HeadWait } from './head-wait.js';
import { type IsError, openUpstream } from './open-upstream.js';
import type { ProxyDeps } from './proxy-deps.js';
import { readMetadata, streamIdOfProxy } from './proxy-metadata.js';
import type { CreateRecord, CreateResult } from './proxy-store.js';
import { digestOf, fingerprintOf } from './request-fingerprint.js';
import { type Recorded, storageError, storeResponse } from './store-response.js';
import { StreamedBody } from './streamed-body.js';
import type { UpstreamRequest } from './upstream-request.js';

const RETRY_SECONDS = 1;

/** Added to every response that replays the outcome of an earlier request. */
export const REPLAYED: Readonly<Record<string, string>> = { 'Idempotent-Replayed': 'true' };

/** `isError` selects the statuses that are not recorded. */
export async function recordUpstream(
  deps: ProxyDeps,
  request: UpstreamRequest,
  isError: IsError,
): Promise<Recorded> {
  const { creating, timers } = deps;
  if (request.key === null) {
    const fault = await deps.storeFault();
    if (fault) return refused(unstorable(fault));
    const share = await deps.share.take(request.tenant);
    if ('refusal' in share) return refused(share.refusal);
    const wait = new HeadWait(timers, request);
    return (await sendAndRecord(deps, request, { isError, wait }).finally(share.release)).recorded;
  }
  const key = hashParts([request.tenant, request.key]);
  if (request.body instanceof StreamedBody) request.body.enableHash();
  const fingerprint = fingerprintOf(request);
  const running = creating.get(key);
  if (running) {
    if (running.fingerprint !== fingerprint) throw keyReused();
    running.wait.renew();
    return { kind: 'response', response: inProgress() };
  }
  const wait = new HeadWait(timers, request);
  creating.set(key, { fingerprint, wait });
  try {
    return await recordOnce(deps, { request, isError, wait, key, fingerprint });
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
  deps: ProxyDeps,
  { request, isError, wait, key, fingerprint }: KeyedRequest,
): Promise<Recorded> {
  const { store, lifetime, settings } = deps;
  const now = destroyBefore(lifetime);
  const expiresAt = lifetime.now() + settings.keepMs;
  const fault = await deps.storeFault();
  const known = await (fault
    ? store.findCreate(key, now)
    : store.beginCreate({ key, fingerprint, now, expiresAt }));
  if (known) return replay(deps, known, request);
  if (fault) return refused(unstorable(fault));
  const share = await deps.share.take(request.tenant);
  if ('refusal' in share) {
    await store.dropCreate(key);
    return refused(share.refusal);
  }
  let outcome: SendResult;
  try {
    outcome = await sendAndRecord(deps, request, { isError, wait }).finally(share.release);
  } catch (thrown) {
    // The caller's fault: the request was not sent, or not completely. Any other error leaves the key undecided.
    if (asSondeError(thrown).facts.fault === 'caller') await store.dropCreate(key);
    throw thrown;
  }
  const { recorded, sent } = outcome;
  try {
    if (sent) await store.endCreate(key, resultOf(recorded), digestOf(request));
    else await store.dropCreate(key);
    return recorded;
  } catch (thrown) {
    // The stream may exist, but a repeated request would not find it, so fail now.
    return { kind: 'response', response: storageError(thrown, upstreamStatusOf(recorded)) };
  }
}

function upstreamStatusOf(recorded: Recorded): number {
  if (recorded.kind === 'stream') return readMetadata(recorded.state).upstream_status;
  return Number(recorded.response.headers['Upstream-Status'] ?? 502);
}

async function replay(deps: ProxyDeps, known: CreateRecord, request: UpstreamRequest): Promise<Recorded> {
  const { result } = known;
  // A streamed body is read only if there is a digest to compare with.
  if (result && request.body instanceof StreamedBody) await request.body.discard();
  if (![fingerprintOf(request), digestOf(request)].includes(known.fingerprint)) throw keyReused();
  if (!result) {
    throw new SondeError(
      'CREATE_INDETERMINATE',
      'The server stopped during this request, so the upstream may or may not have received it. To send it again, use a new key.',
    );
  }
  if (result.kind === 'refused') {
    const { status, body } = result;
    const headers = { ...result.headers, ...REPLAYED };
    return { kind: 'response', response: { status, headers, body: { kind: 'bytes', bytes: body } } };
  }
  // A key is never hidden, so its response is not either.
  const state = await deps.streams.findKept(streamIdOfProxy(result.id));
  if (!state) throw new SondeError('STREAM_NOT_FOUND', 'The stream created with this key no longer exists.');
  return { kind: 'stream', id: result.id, state, fresh: false };
}

interface SendResult {
  readonly recorded: Recorded;
  /** False only if it is certain that nothing was sent. */
  readonly sent: boolean;
}

type SendOptions = { readonly isError: IsError; readonly wait: HeadWait };

function sendAndRecord(deps: ProxyDeps, request: UpstreamRequest, options: SendOptions): Promise<SendResult> {
  return deps.opening.track(sendOne(deps, request, options));
}

async function sendOne(deps: ProxyDeps, request: UpstreamRequest, options: SendOptions): Promise<SendResult> {
  const sentAt = deps.timers.now();
  const opened = await openUpstream(deps, request, options);
  if (!opened.ok)
    return { recorded: { kind: 'response', response: opened.callerResponse }, sent: opened.sent };
  return { recorded: await storeResponse(deps, request, { response: opened.response, sentAt }), sent: true };
}

function resultOf(recorded: Recorded): CreateResult {
  if (recorded.kind === 'stream') return { kind: 'stream', id: recorded.id };
  const { status, headers, body, error } = recorded.response;
  if (error) return { kind: 'refused', status, ...errorResponseBytes(error, headers) };
  return { kind: 'refused', status, headers, body: body?.kind === 'bytes' ? body.bytes : new Uint8Array(0) };
}

function inProgress(): StreamResponse {
  const error = new SondeError('CREATE_IN_PROGRESS', 'A request with this Idempotency-Key is in progress.');
  return { status: 409, headers: { 'Retry-After': String(RETRY_SECONDS) }, error };
}

function refused(error: SondeError): Recorded {
  return { kind: 'response', response: { status: error.facts.status, headers: {}, error } };
}

function unstorable({ code, message }: SondeError): SondeError {
  return new SondeError(
    code,
    `The response could not be stored (data folder: ${message}), so the upstream was not called.`,
  );
}

function keyReused(): SondeError {
  return new SondeError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for a different request. Use a new key.',
  );
}
