/**
 * Reads the JSON body of a route after these checks, in order: the credential and its scope, the media type, the size
 * (`bytesMax`), the nesting depth, NUL. The body is parsed and validated after that, so a caller without a valid credential
 * cannot make the server read or parse anything.
 */
import type { MiddlewareHandler } from 'hono';
import { SondeError } from '../../errors.js';
import { API_BODY_BYTES_MAX, decodeText } from '../../kernel/input.js';
import { refuseNulInJson } from '../../kernel/refusals.js';
import { refuseLargeJson } from '../../parse-json.js';
import type { TenantScope } from '../../scopes.js';
import type { AppContext, AppEnv } from '../app-env.js';
import { demandScope } from '../auth/require-scope.js';
import { declaredLength } from './body-limit.js';
import { requestBody } from './request-body.js';

interface JsonBodyRules {
  /** The scope that the caller needs, or the route's own check. */
  readonly allow: TenantScope | ((c: AppContext) => void);
  readonly bytesMax?: number;
}

export function jsonBody({ allow, bytesMax = API_BODY_BYTES_MAX }: JsonBodyRules): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (typeof allow === 'function') allow(c);
    else demandScope(c, allow);
    // Hono's validator reads the body from this cache.
    Object.assign(c.req.bodyCache, { text: Promise.resolve(await jsonText(c, bytesMax)) });
    return next();
  };
}

/** For a route that parses its body elsewhere. The route has already checked the credential. */
export async function jsonBytes(c: AppContext, bytesMax: number): Promise<Uint8Array> {
  refuseOtherMedia(c);
  return requestBody(c, bytesMax);
}

async function jsonText(c: AppContext, bytesMax: number): Promise<string> {
  const text = decodeText(await jsonBytes(c, bytesMax));
  refuseLargeJson(text);
  refuseNulInJson(text);
  return text;
}

/** Makes the same decision as the validator that runs later, but before the body is read. */
function refuseOtherMedia(c: AppContext): void {
  const type = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  const isEmpty =
    declaredLength(c) === 0 || (c.req.header('content-length') ?? c.req.raw.body ?? null) === null;
  if (type === 'application/json' || (type === '' && isEmpty)) return;
  throw new SondeError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as application/json.');
}
