/**
 * Reads the JSON body of a route, after checks in this order: the credential and its scope, the media type, at most
 * `bytesMax` bytes, the nesting. Only then is it parsed and validated. Without this order a stranger's body would be
 * read and parsed before its credential is checked.
 */
import type { MiddlewareHandler } from 'hono';
import { SondeError } from '../../errors.js';
import { refuseDeepJson } from '../../parse-json.js';
import type { TenantScope } from '../../scopes.js';
import type { AppContext, AppEnv } from '../app-env.js';
import { demandScope } from '../auth/require-scope.js';
import { declaredLength } from './body-limit.js';
import { requestBody } from './request-body.js';

/** Parsing and validating this much takes less than 20 ms of processor time, whatever it holds. */
export const API_BODY_BYTES_MAX = 128 * 1024;

interface JsonBodyRules {
  /** What the caller needs: a scope, or a check of the route's own. */
  readonly allow: TenantScope | ((c: AppContext) => void);
  readonly bytesMax?: number;
}

export function jsonBody({ allow, bytesMax = API_BODY_BYTES_MAX }: JsonBodyRules): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (typeof allow === 'function') allow(c);
    else demandScope(c, allow);
    // Where Hono's validator looks for it.
    Object.assign(c.req.bodyCache, { text: Promise.resolve(await jsonText(c, bytesMax)) });
    return next();
  };
}

/** For a route whose body is parsed elsewhere. Its caller has checked the credential. */
export async function jsonBytes(c: AppContext, bytesMax: number): Promise<Uint8Array> {
  refuseOtherMedia(c);
  return requestBody(c, bytesMax);
}

async function jsonText(c: AppContext, bytesMax: number): Promise<string> {
  const text = decodeText(await jsonBytes(c, bytesMax));
  refuseDeepJson(text);
  return text;
}

/** As the validator behind it decides, but before the body is read. */
function refuseOtherMedia(c: AppContext): void {
  const type = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  const empty =
    declaredLength(c) === 0 || (c.req.header('content-length') ?? c.req.raw.body ?? null) === null;
  if (type === 'application/json' || (type === '' && empty)) return;
  throw new SondeError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as application/json.');
}

export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SondeError('INVALID_REQUEST', 'The body is not UTF-8 text.', { cause });
  }
}
