/**
 * Sends a request and records its response. A key is stored before anything is sent, and its outcome before it is
 * returned, so a key never has two attempts in flight, and none is sent after one that was answered with 2xx or whose
 * outcome is unknown. `attempt-rules.ts` says which outcomes leave a key open.
 */
import { hashParts } from '../net/index.js';
import { listFailed, newAttempt, progressOf, type RunningAttempt } from './attempts.js';
import { HeadWait } from './head-wait.js';
import { recordKeyed } from './keyed-create.js';
import type { FailedCall, IsError } from './open-upstream.js';
import type { ProxyDeps } from './proxy-deps.js';
import { fingerprintOf } from './request-fingerprint.js';
import { inProgress, keyReused, refused, sendAndRecord, unstorable } from './send-and-record.js';
import type { Recorded } from './store-response.js';
import { StreamedBody } from './streamed-body.js';
import type { UpstreamRequest } from './upstream-request.js';

/** `isError` selects the statuses that are not recorded. */
export async function recordUpstream(
  deps: ProxyDeps,
  request: UpstreamRequest,
  isError: IsError,
): Promise<Recorded> {
  const { creating, timers } = deps;
  if (request.key === null) return recordUnkeyed(deps, request, isError);
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
    return await recordKeyed(deps, { request, isError, wait, key, fingerprint });
  } finally {
    wait.finish();
    creating.delete(key);
  }
}

async function recordUnkeyed(deps: ProxyDeps, request: UpstreamRequest, isError: IsError): Promise<Recorded> {
  const fault = await deps.storeFault();
  if (fault) return refused(unstorable(fault));
  const share = await deps.share.take(request.tenant);
  if ('refusal' in share) return refused(share.refusal);
  const wait = new HeadWait(deps.timers, request);
  const attempt = { row: newAttempt(deps, request) };
  noteUnkeyed(deps, attempt);
  try {
    const { recorded, call } = await sendAndRecord(deps, request, { isError, wait, attempt });
    if (call && call.sent !== 'refused') {
      void deps.opening.track(listFailed(deps, attempt, call));
      noteEnd(deps, attempt, call);
    } else if (call) dropUnkeyed(deps, attempt);
    return recorded;
  } catch (thrown) {
    dropUnkeyed(deps, attempt);
    throw thrown;
  } finally {
    share.release();
  }
}

/**
 * The row is written while the request is being sent: nothing depends on it before the end of the call, and a commit
 * in front of every call would cost each of them a sync of the disk (docs/decisions/0134-attempts-of-a-key.md).
 */
function noteUnkeyed({ store, notesUnkeyed }: ProxyDeps, { row }: RunningAttempt): void {
  if (!notesUnkeyed) return;
  store.attemptStarted(row).catch(() => {
    // A store that fails is reported when the response cannot be stored.
  });
}

function noteEnd(deps: ProxyDeps, attempt: RunningAttempt, call: FailedCall): void {
  deps.store.attemptProgressed(progressOf(attempt, call, deps.timers.now())).catch(() => {
    // The next start ends it.
  });
}

function dropUnkeyed({ store, notesUnkeyed }: ProxyDeps, { row }: RunningAttempt): void {
  if (!notesUnkeyed) return;
  store.dropAttempts(row.response).catch(() => {
    // The next start lists it as lost.
  });
}
