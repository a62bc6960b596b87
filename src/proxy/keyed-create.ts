/**
 * One request with an `Idempotency-Key`: claims the key for its next attempt and sends it, or returns the outcome of the
 * last one. The claim compares the number of the last attempt, so of several repeats one is sent.
 */
import { asSondeError, SondeError } from '../errors.js';
import { joinHeaders } from '../join-headers.js';
import { destroyBefore, type StreamState } from '../streams/index.js';
import { type EndedAttempt, leavesKeyOpen } from './attempt-rules.js';
import { keyedAttempt, listFailed, newAttempt, progressOf, type RunningAttempt } from './attempts.js';
import { errorResponseBytes } from './error-response-bytes.js';
import type { HeadWait } from './head-wait.js';
import type { FailedCall, IsError } from './open-upstream.js';
import type { ProxyDeps } from './proxy-deps.js';
import { attemptHeader, readMetadata, streamIdOfProxy } from './proxy-metadata.js';
import type { CreateRecord, CreateResult, NewAttempt } from './proxy-store.js';
import { digestOf, fingerprintOf } from './request-fingerprint.js';
import {
  inProgress,
  keyReused,
  REPLAYED,
  refused,
  type SendResult,
  sendAndRecord,
  unstorable,
} from './send-and-record.js';
import { type Recorded, storageError } from './store-response.js';
import { StreamedBody } from './streamed-body.js';
import type { UpstreamRequest } from './upstream-request.js';

interface KeyedRequest {
  readonly request: UpstreamRequest;
  readonly isError: IsError;
  readonly wait: HeadWait;
  readonly key: string;
  readonly fingerprint: string;
}

type Claim =
  | {
      readonly attempt: RunningAttempt;
      /** The outcome of the attempt before it. */
      readonly previous?: CreateResult;
    }
  | { readonly known: CreateRecord }
  /** Another process has claimed the next attempt. */
  | 'busy';

type Claimed = Extract<Claim, { readonly attempt: RunningAttempt }>;

/** A refusal whose body is still arriving is awaited this long, because its repeat may follow at once. */
const REFUSAL_BODY_MS = 1_000;

export async function recordKeyed(deps: ProxyDeps, keyed: KeyedRequest): Promise<Recorded> {
  const { request, key } = keyed;
  const fault = await deps.storeFault();
  if (fault) {
    const known = await deps.store.findCreate(key, destroyBefore(deps.lifetime));
    return known ? replay(deps, known, request) : refused(unstorable(fault));
  }
  const claim = await claimAttempt(deps, keyed);
  if (claim === 'busy') return { kind: 'response', response: inProgress() };
  return 'known' in claim ? replay(deps, claim.known, request) : sendClaimed(deps, keyed, claim);
}

async function claimAttempt(deps: ProxyDeps, keyed: KeyedRequest): Promise<Claim> {
  const { request } = keyed;
  const first = newAttempt(deps, request);
  const known = await begin(deps, keyed, first);
  if (!known) return { attempt: keyedAttempt(deps, first) };
  const { result } = known;
  if (!result || ![known.fingerprint, known.digest].includes(keyed.fingerprint)) return { known };
  const response = responseOf(known) ?? first.response;
  const replaces = await deps.streams.findKept(streamIdOfProxy(response));
  if (!(await isOpen(deps, result, replaces))) return { known };
  const row = newAttempt(deps, request, { response, n: known.attempt + 1 });
  const later = await begin(deps, keyed, row);
  if (later) return later.result ? { known: later } : 'busy';
  return { attempt: keyedAttempt(deps, row, replaces), previous: result };
}

function begin(
  { store, lifetime, settings }: ProxyDeps,
  { key, fingerprint }: KeyedRequest,
  attempt: NewAttempt,
): Promise<CreateRecord | undefined> {
  const expiresAt = lifetime.now() + settings.keepMs;
  return store.beginCreate({ key, fingerprint, now: destroyBefore(lifetime), expiresAt, attempt });
}

function responseOf({ result, response }: CreateRecord): string | null {
  return result?.kind === 'stream' ? result.id : response;
}

/** Whether a repeat would be sent. */
export async function leavesOpen(deps: ProxyDeps, known: CreateRecord): Promise<boolean> {
  const { result } = known;
  const response = responseOf(known);
  const state = response === null ? undefined : await deps.streams.findKept(streamIdOfProxy(response));
  return result !== null && isOpen(deps, result, state);
}

/** Whether the key's last attempt leaves it open. `state` is the stream of that attempt. */
async function isOpen(
  deps: ProxyDeps,
  result: CreateResult,
  state: StreamState | undefined,
): Promise<boolean> {
  if (result.kind === 'refused') return result.repeatable === true;
  if (!state) return false;
  const { upstream_status: status, outcome } = readMetadata(state);
  const couldBe = leavesKeyOpen({ sent: true, status, outcome: outcome ?? 'completed' });
  if (!couldBe || outcome) return couldBe;
  return (await deps.pumps.endOf(state.id, REFUSAL_BODY_MS))?.outcome === 'completed';
}

async function sendClaimed(deps: ProxyDeps, keyed: KeyedRequest, claim: Claimed): Promise<Recorded> {
  const { request, isError, wait } = keyed;
  const { attempt } = claim;
  const share = await deps.share.take(request.tenant);
  if ('refusal' in share) {
    await unclaim(deps, keyed, claim);
    return refused(share.refusal);
  }
  let sent: SendResult;
  try {
    sent = await sendAndRecord(deps, request, { isError, wait, attempt }).finally(share.release);
  } catch (thrown) {
    // The caller's fault: the request was not sent, or not completely. Any other error leaves the key undecided.
    if (asSondeError(thrown).facts.fault === 'caller') await unclaim(deps, keyed, claim);
    throw thrown;
  }
  const { recorded, call } = sent;
  try {
    if (call?.sent === 'refused') await unclaim(deps, keyed, claim);
    else await settle(deps, keyed, { attempt, ...sent });
  } catch (thrown) {
    // The stream may exist, but a repeated request would not find it, so fail now.
    return { kind: 'response', response: storageError(thrown, upstreamStatusOf(recorded)) };
  }
  return numbered(recorded, attempt.row.n);
}

/** Nothing was sent. */
function unclaim({ store }: ProxyDeps, { key }: KeyedRequest, { attempt, previous }: Claimed): Promise<void> {
  return store.dropCreate(key, attempt.row, previous);
}

async function settle(
  deps: ProxyDeps,
  { request, key }: KeyedRequest,
  { attempt, recorded, call }: { readonly attempt: RunningAttempt } & SendResult,
): Promise<void> {
  const end = { result: resultOf(recorded, call), digest: digestOf(request) };
  if (!call) return deps.store.endCreate(key, end);
  const progress = progressOf(attempt, call, deps.timers.now());
  // In one turn, and so in one commit.
  await Promise.all([
    deps.store.endCreate(key, { ...end, attempt: progress }),
    listFailed(deps, attempt, call),
  ]);
}

function resultOf(recorded: Recorded, call: FailedCall | undefined): CreateResult {
  if (recorded.kind === 'stream') return { kind: 'stream', id: recorded.id };
  const { status, headers, body, error } = recorded.response;
  const open = call && leavesKeyOpen(endOf(call)) && { repeatable: true };
  if (error) return { kind: 'refused', status, ...errorResponseBytes(error, headers), ...open };
  const bytes = body?.kind === 'bytes' ? body.bytes : new Uint8Array(0);
  return { kind: 'refused', status, headers, body: bytes, ...open };
}

function endOf({ sent, head, ending }: FailedCall): EndedAttempt {
  return { sent: sent === 'request', status: head?.status ?? null, outcome: ending.outcome };
}

function upstreamStatusOf(recorded: Recorded): number {
  if (recorded.kind === 'stream') return readMetadata(recorded.state).upstream_status ?? 502;
  return Number(recorded.response.headers['Upstream-Status'] ?? 502);
}

/** Streams have the number in their metadata. */
function numbered(recorded: Recorded, n: number): Recorded {
  if (recorded.kind === 'stream' || n === 1) return recorded;
  const { response } = recorded;
  return {
    kind: 'response',
    response: { ...response, headers: joinHeaders(response.headers, attemptHeader(n)) },
  };
}

async function replay(deps: ProxyDeps, known: CreateRecord, request: UpstreamRequest): Promise<Recorded> {
  const { result } = known;
  // A streamed body is read only if there is a digest to compare with.
  if (result && request.body instanceof StreamedBody) await request.body.discard();
  const own = [fingerprintOf(request), digestOf(request)];
  if (!own.includes(known.digest ?? known.fingerprint)) throw keyReused();
  if (!result) {
    throw new SondeError(
      'CREATE_INDETERMINATE',
      'The server stopped during this request, so the upstream may or may not have received it. To send it again, use a new key.',
    );
  }
  if (result.kind === 'refused') {
    const { status, body } = result;
    const headers = joinHeaders(result.headers, attemptHeader(known.attempt), REPLAYED);
    return { kind: 'response', response: { status, headers, body: { kind: 'bytes', bytes: body } } };
  }
  // A key is never hidden, so its response is not either.
  const state = await deps.streams.findKept(streamIdOfProxy(result.id));
  if (!state) throw new SondeError('STREAM_NOT_FOUND', 'The stream created with this key no longer exists.');
  return { kind: 'stream', id: result.id, state, fresh: false };
}
