/**
 * The one place where a code becomes a status and an error becomes a response. An error without a code is logged with
 * its cause and returned as `INTERNAL`; its text never leaves the process.
 */
import type { MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ERROR_CODES, type ErrorCode, type ErrorDetails, SondeError } from '../../errors.js';
import type { AppContext, AppEnv } from '../app-env.js';

export interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string } & ErrorDetails;
}

export function errorBody({ code, message, details }: SondeError): ErrorBody {
  return { error: { code, message, ...withoutReserved(details) } };
}

export function statusOf(code: ErrorCode): ContentfulStatusCode {
  return ERROR_CODES[code].status as ContentfulStatusCode;
}

/** Response headers that belong to an error, wherever its response is created. */
export function errorHeaders({ facts, details }: SondeError): Readonly<Record<string, string>> {
  const seconds = details['retryAfterSeconds'] ?? facts.retryAfter;
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

/** The handler of `app.onError`. */
export function respondWithError(thrown: unknown, c: AppContext): Response {
  const error = toSondeError(thrown, c);
  const { status } = error.facts;
  if (status === 500) {
    c.var.log.error('request failed', { code: error.code, err: error.cause ?? error });
  }
  if (status === 401) {
    c.header('WWW-Authenticate', error.code === 'INVALID_SECRET' ? 'Bearer error="invalid_token"' : 'Bearer');
  }
  for (const [name, value] of Object.entries(errorHeaders(error))) c.header(name, value);
  c.header('Cache-Control', 'no-store');
  return c.json(errorBody(error), statusOf(error.code));
}

/** The innermost middleware. Hono only passes `Error` objects to `onError`, so any other thrown value is wrapped. */
export const wrapNonErrors: MiddlewareHandler<AppEnv> = async (_c, next) => {
  try {
    await next();
  } catch (thrown) {
    throw thrown instanceof Error ? thrown : new Error('thrown value', { cause: thrown });
  }
};

function toSondeError(thrown: unknown, c: AppContext): SondeError {
  if (c.var.bodyOverflow !== undefined) return c.var.bodyOverflow;
  if (thrown instanceof SondeError) return thrown;
  if (thrown instanceof HTTPException) {
    if (thrown.status === 400)
      return new SondeError('INVALID_REQUEST', 'The body is not valid JSON.', { cause: thrown });
    if (thrown.status === 415) {
      return new SondeError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as application/json.', {
        cause: thrown,
      });
    }
  }
  return internalError(thrown, c.var.requestId);
}

/** The error for an unexpected failure, without the text of its cause. */
export function internalError(cause: unknown, requestId: string): SondeError {
  const message = 'The server failed to handle this request. The cause is in its log, under the request id.';
  return new SondeError('INTERNAL', message, { cause, details: { requestId } });
}

function withoutReserved(details: ErrorDetails): ErrorDetails {
  return Object.fromEntries(Object.entries(details).filter(([key]) => key !== 'code' && key !== 'message'));
}
