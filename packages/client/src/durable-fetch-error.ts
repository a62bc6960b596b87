/**
 * The errors of `durableFetch`. A refusal before the upstream's response head becomes an HTTP response, so that SDKs
 * report its code. An incomplete body always ends with a `DurableFetchError`.
 */
import type { ServerCall } from './server-call.js';
import type { UpstreamHead } from './upstream-head.js';

export type DurableFetchCode =
  /** The server was unreachable or did not respond, and all retries failed. */
  | 'RETRIES_EXHAUSTED'
  /** The upstream request was aborted on demand. */
  | 'UPSTREAM_ABORTED'
  /** The upstream stalled, ended early or was unreachable, or its body was too large or could not be stored. */
  | 'UPSTREAM_BODY_TIMEOUT'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_RESET'
  | 'UPSTREAM_TRUNCATED'
  | 'UPSTREAM_ERROR'
  | 'UPSTREAM_NOT_ALLOWED'
  | 'REDIRECT_NOT_ALLOWED'
  | 'RESPONSE_TOO_LARGE'
  | 'STORAGE_ERROR'
  /** The server stopped or crashed during the body. */
  | 'SERVER_STOPPED'
  | 'PUMP_LOST'
  /** It is unknown whether the upstream got the request; it was not sent again. */
  | 'CREATE_INDETERMINATE'
  | 'STREAM_NOT_FOUND'
  /** Any other error code of the server, or `HTTP_` and a status. */
  | (string & {});

interface ErrorDetails {
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

export class DurableFetchError extends Error {
  /** A minifier renames the class. */
  static override readonly name = 'DurableFetchError';
  override readonly name = 'DurableFetchError';
  readonly code: DurableFetchCode;
  /** The status of the Sonde server, if it responded. */
  readonly status: number | undefined;
  /** How long to wait, as requested by the server; 0 if it did not say. */
  readonly retryAfterMs: number;

  constructor(code: DurableFetchCode, message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.code = code;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs || 0;
  }
}

/** What the upstream did. Some SDKs pass on only the message of an error, so it must say this. */
const FAULTS: Readonly<Record<string, string>> = {
  UPSTREAM_TRUNCATED: 'closed the connection early',
  UPSTREAM_RESET: 'reset the connection',
  UPSTREAM_BODY_TIMEOUT: 'stopped sending',
};

/** The error of a body that ended after `bytes` bytes with another outcome than `completed`. */
export function incompleteBody(code: string, outcome: string | null, bytes: number): DurableFetchError {
  const fault = FAULTS[code];
  const what = fault ? `upstream ${fault}` : `response ${outcome}`;
  return new DurableFetchError(code, `the ${what} (${code}), after ${bytes} bytes`);
}

const TEMPORARY = new Set([408, 425, 429]);
/** 424 Failed Dependency, which no SDK retries. */
const FINAL_STATUS = 424;

/** Whether a retry may help. Errors that the server reports about the upstream are permanent. */
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
 * Turns a refusal into a response for SDKs. An SDK may only retry errors of the upstream itself, as after a direct
 * call. Everything else gets a status that no SDK retries, even an unreachable server: it may have sent the request.
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

/** Turns the server's error response into an error. */
export async function readRefusal({ status, header, rest }: ServerCall): Promise<DurableFetchError> {
  let reported: { code?: string; message?: string } | undefined;
  try {
    reported = JSON.parse(new TextDecoder().decode(await rest())).error;
  } catch {
    // Not an error of the server: an intermediary responded.
  }
  return new DurableFetchError(reported?.code ?? `HTTP_${status}`, reported?.message ?? `status ${status}`, {
    status,
    retryAfterMs: Number(header('retry-after')) * 1000,
  });
}
