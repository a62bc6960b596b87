/**
 * What durableFetch fails with. A refusal before the upstream's response head becomes an HTTP response, so that SDKs
 * report its code; a body that is not complete always ends with a `DurableFetchError`.
 */
import type { ServerCall } from './server-call.js';
import type { UpstreamHead } from './upstream-head.js';

export type DurableFetchCode =
  /** The server could not be reached, or did not respond, in any of the retries. */
  | 'RETRIES_EXHAUSTED'
  /** The upstream was stopped on demand. */
  | 'UPSTREAM_ABORTED'
  /** The upstream stalled, ended early or could not be reached; or its body was too large or not stored. */
  | 'UPSTREAM_BODY_TIMEOUT'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_RESET'
  | 'UPSTREAM_TRUNCATED'
  | 'UPSTREAM_ERROR'
  | 'UPSTREAM_NOT_ALLOWED'
  | 'REDIRECT_NOT_ALLOWED'
  | 'RESPONSE_TOO_LARGE'
  | 'STORAGE_ERROR'
  /** The server was stopped, or crashed, during the body. */
  | 'SERVER_STOPPED'
  | 'PUMP_LOST'
  /** Whether the upstream got the request is not known; it was not sent again. */
  | 'CREATE_INDETERMINATE'
  | 'STREAM_NOT_FOUND'
  /** Any other code of the server's table, or `HTTP_` and a status. */
  | (string & {});

interface ErrorDetails {
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

export class DurableFetchError extends Error {
  override readonly name = 'DurableFetchError';
  readonly code: DurableFetchCode;
  /** The Sonde server's status, where there was one. */
  readonly status: number | undefined;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number;

  constructor(code: DurableFetchCode, message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.code = code;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs || 0;
  }
}

const TEMPORARY = new Set([408, 425, 429]);
/** Failed dependency: a status that no SDK retries. */
const FINAL_STATUS = 424;

/** Whether a retry may help. What the server reports about the upstream does not change. */
export function isTemporary(thrown: unknown): boolean {
  if (!(thrown instanceof DurableFetchError)) return true;
  const { code, status = 0 } = thrown;
  return code === IN_PROGRESS || TEMPORARY.has(status) || (status >= 500 && !/^UPSTREAM_|^STOR/.test(code));
}

/** Whether there is nothing left to resume. */
export function isFinal(thrown: unknown): boolean {
  return thrown instanceof DurableFetchError && thrown.code !== EXHAUSTED;
}

export const EXHAUSTED = 'RETRIES_EXHAUSTED';
export const IN_PROGRESS = 'CREATE_IN_PROGRESS';

/**
 * A refusal as SDKs should see it. Only what the upstream itself did wrong may be retried, as after a direct call;
 * everything else gets a status that no SDK retries, also a server that does not respond: it may have sent the request.
 */
export function refusalResponse(thrown: unknown): { head: UpstreamHead; body: string } {
  if (!(thrown instanceof DurableFetchError)) throw thrown;
  const { code, message, status = FINAL_STATUS } = thrown;
  const mayRetry = status >= 500 && code.startsWith('UPSTREAM_');
  const isRetriedBySdks = status === 409 || status >= 500 || TEMPORARY.has(status);
  return {
    head: {
      status: isRetriedBySdks && !mayRetry ? FINAL_STATUS : status,
      headers: new Headers({
        'content-type': 'application/json',
        ...(!mayRetry && { 'x-should-retry': 'false' }),
      }),
    },
    body: JSON.stringify({ error: { code, message } }),
  };
}

/** The server's refusal as an error. */
export async function refusalOf({ status, header, rest }: ServerCall): Promise<DurableFetchError> {
  let reported: { code?: string; message?: string } | undefined;
  try {
    reported = JSON.parse(new TextDecoder().decode(await rest())).error;
  } catch {
    // Not the server's own words: something in between responded.
  }
  return new DurableFetchError(reported?.code ?? `HTTP_${status}`, reported?.message ?? `status ${status}`, {
    status,
    retryAfterMs: Number(header('retry-after')) * 1000,
  });
}
