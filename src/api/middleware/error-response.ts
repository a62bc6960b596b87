/** Turns errors of routes into responses. */
import type { MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { SondeError } from '../../errors.js';
import { errorBody, errorReplyHeaders, internalError } from '../../kernel/reply.js';
import type { AppContext, AppEnv } from '../app-env.js';

/** The handler of `app.onError`. */
export function respondWithError(thrown: unknown, c: AppContext): Response {
  const error = toSondeError(thrown, c);
  const { status } = error.facts;
  if (status === 500) {
    c.var.log.error('request failed', { code: error.code, err: error.cause ?? error });
  }
  for (const [name, value] of Object.entries(errorReplyHeaders(error))) c.header(name, value);
  return c.json(errorBody(error), status as ContentfulStatusCode);
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
