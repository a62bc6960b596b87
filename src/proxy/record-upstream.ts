/**
 * Sends a request and records its response. A key is stored before anything is sent, and its outcome before it is
 * returned, so a key never has two attempts in flight, and none is sent after one that was answered with 2xx or whose
 * outcome is unknown. `attempt-rules.ts` says which outcomes leave a key open.
 */
import { hashParts } from '../net/index.js';
import { listFailed, newAttempt, progressOf, UnkeyedAttempt } from './attempts.js';
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
  const attempt = new UnkeyedAttempt(deps, newAttempt(deps, request));
  try {
    const { recorded, call } = await sendAndRecord(deps, request, { isError, wait, attempt });
    if (call?.sent === 'refused') attempt.drop();
    else if (call) void deps.opening.track(noteFailed(deps, attempt, call));
    return recorded;
  } catch (thrown) {
    attempt.drop();
    throw thrown;
  } finally {
    share.release();
  }
}

/** The caller does not wait for it. */
async function noteFailed(deps: ProxyDeps, attempt: UnkeyedAttempt, call: FailedCall): Promise<void> {
  const progress = attempt.progressed(progressOf(attempt, call, deps.timers.now())).catch(() => {
    // The next start ends it.
  });
  // In one turn, and so in one commit.
  await Promise.all([progress, listFailed(deps, attempt, call)]);
}
