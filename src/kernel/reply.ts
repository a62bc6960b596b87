/** The result of an operation, and how an error becomes one. The only place where a code becomes a status. */
import { type ErrorCode, type ErrorDetails, SondeError } from '../errors.js';
import { joinHeaders } from '../join-headers.js';
import type { StreamBody } from '../streams/index.js';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: ReplyBody;
  /** Sent instead of a body, with the headers above. */
  readonly error?: SondeError;
}

export type ReplyBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  /** A body that another process of the platform produces. */
  | { readonly kind: 'web'; readonly stream: ReadableStream<Uint8Array> }
  | StreamBody;

/** What leaves the door: complete headers, and a body that the host can write. */
export interface SentReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: Exclude<ReplyBody, { kind: 'json' }>;
}

export const NO_STORE = { 'Cache-Control': 'no-store' } as const;

export function jsonReply(value: unknown, headers: Reply['headers'] = {}, status = 200): Reply {
  return { status, headers, body: { kind: 'json', value } };
}

export const NO_CONTENT: Reply = { status: 204, headers: {} };

export interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string } & ErrorDetails;
}

export function errorBody({ code, message, details }: SondeError): ErrorBody {
  return { error: { code, message, ...withoutReserved(details) } };
}

/** Response headers that belong to an error, wherever its response is created. */
export function errorHeaders({ facts, details }: SondeError): Readonly<Record<string, string>> {
  const seconds = details['retryAfterSeconds'] ?? facts.retryAfter;
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

/** The headers of an error's response that has a body. */
export function errorReplyHeaders(error: SondeError): Record<string, string> {
  const isInvalid = error.code === 'INVALID_SECRET';
  return joinHeaders(
    { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    error.facts.status === 401 && {
      'WWW-Authenticate': isInvalid ? 'Bearer error="invalid_token"' : 'Bearer',
    },
    errorHeaders(error),
  );
}

export function errorReply(error: SondeError, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: error.facts.status, headers, error };
}

/** The error for an unexpected failure, without the text of its cause. */
export function internalError(cause: unknown, requestId: string): SondeError {
  const message = 'The server failed to handle this request. The cause is in its log, under the request id.';
  return new SondeError('INTERNAL', message, { cause, details: { requestId } });
}

function withoutReserved(details: ErrorDetails): ErrorDetails {
  return Object.fromEntries(Object.entries(details).filter(([key]) => key !== 'code' && key !== 'message'));
}
