/** Sends one attempt and records its response, and the refusals that come before one. */
import { SondeError } from '../errors.js';
import type { StreamResponse } from '../streams/index.js';
import type { RunningAttempt } from './attempts.js';
import type { HeadWait } from './head-wait.js';
import { type FailedCall, type IsError, openUpstream } from './open-upstream.js';
import type { ProxyDeps } from './proxy-deps.js';
import { type Recorded, storeResponse } from './store-response.js';
import type { UpstreamRequest } from './upstream-request.js';

const RETRY_SECONDS = 1;

/** Added to every response that replays the outcome of an earlier request. */
export const REPLAYED: Readonly<Record<string, string>> = { 'Idempotent-Replayed': 'true' };

export interface SendResult {
  readonly recorded: Recorded;
  /** Set if there is no recorded response. */
  readonly call?: FailedCall;
}

interface SendOptions {
  readonly isError: IsError;
  readonly wait: HeadWait;
  readonly attempt: RunningAttempt;
}

export function sendAndRecord(
  deps: ProxyDeps,
  request: UpstreamRequest,
  options: SendOptions,
): Promise<SendResult> {
  return deps.opening.track(sendOne(deps, request, options));
}

async function sendOne(
  deps: ProxyDeps,
  request: UpstreamRequest,
  { attempt, ...options }: SendOptions,
): Promise<SendResult> {
  const sentAt = deps.timers.now();
  const opened = await openUpstream(deps, request, options);
  if (!opened.ok)
    return { recorded: { kind: 'response', response: opened.callerResponse }, call: opened.call };
  return { recorded: await storeResponse(deps, request, { response: opened.response, attempt, sentAt }) };
}

export function inProgress(): StreamResponse {
  const error = new SondeError('CREATE_IN_PROGRESS', 'A request with this Idempotency-Key is in progress.');
  return { status: 409, headers: { 'Retry-After': String(RETRY_SECONDS) }, error };
}

export function refused(error: SondeError): Recorded {
  return { kind: 'response', response: { status: error.facts.status, headers: {}, error } };
}

export function unstorable({ code, message }: SondeError): SondeError {
  return new SondeError(
    code,
    `The response could not be stored (data folder: ${message}), so the upstream was not called.`,
  );
}

export function keyReused(): SondeError {
  return new SondeError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for a different request. Use a new key.',
  );
}
