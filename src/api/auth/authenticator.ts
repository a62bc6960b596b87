/**
 * Identifies the caller by a bearer credential (service token or JWT) or, without one, by the session cookie. Browsers
 * also send the cookie with requests that other sites cause. With a cookie, an unsafe method therefore needs our own
 * `Origin`, and a request that is known to come from another site may only open pages.
 */
import { SondeError } from '../../errors.js';
import { isForeignPage } from './foreign-page.js';
import { invalidSecret } from './invalid-secret.js';
import type { Principal } from './principal.js';
import type { FindServiceToken } from './service-tokens.js';
import type { SessionTokens } from './session-tokens.js';
import { TOKEN_CHARS_MAX, type VerifyJwt } from './verify-jwt.js';

export const SESSION_COOKIE = 'sonde_session';

export interface AuthRequest {
  readonly method: string;
  readonly headers: Pick<Headers, 'get'>;
  /** The host of the request's target. */
  readonly urlHost: string;
  /** Whether the target is a page. */
  readonly page: boolean;
  /** The bearer credential; its place in the request depends on the route. */
  readonly bearer: string | undefined;
  /** That place, for the error of a request without a credential. */
  readonly form?: string | undefined;
  /** The origins at which a browser may reach this server, for this request. */
  readonly ownOrigins: readonly string[];
}

export interface Authenticator {
  /** Rejects with `MISSING_SECRET`, `INVALID_SECRET`, `FORBIDDEN` or `ORIGIN_REFUSED`. */
  authenticate(request: AuthRequest): Promise<Principal>;
}

export interface AuthenticatorDeps {
  readonly verifyJwt: VerifyJwt;
  readonly findServiceToken: FindServiceToken;
  readonly sessions: SessionTokens;
  readonly tenantExists: (slug: string) => Promise<boolean>;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  return {
    async authenticate(request) {
      const principal = await identify(request, deps);
      if (principal.tenant === null || (await deps.tenantExists(principal.tenant))) return principal;
      throw new SondeError('FORBIDDEN', 'The tenant of this credential does not exist on this server.');
    },
  };
}

async function identify(request: AuthRequest, deps: AuthenticatorDeps): Promise<Principal> {
  if (request.bearer !== undefined) return identifyBearer(request.bearer, deps);
  const cookie = sessionCookieOf(request.headers);
  if (cookie !== undefined) {
    refuseForeignOrigin(request);
    return { ...(await deps.sessions.verify(cookie)), via: 'session' };
  }
  throw new SondeError(
    'MISSING_SECRET',
    `A credential is required. Send a token ${request.form ?? 'as "Authorization: Bearer …"'}.`,
  );
}

async function identifyBearer(token: string, deps: AuthenticatorDeps): Promise<Principal> {
  if (token.length > TOKEN_CHARS_MAX) throw invalidSecret('too_long');
  const service = deps.findServiceToken(token);
  if (service !== undefined) return { ...service, via: 'service-token' };
  return { ...(await deps.verifyJwt(token)), via: 'jwt' };
}

function refuseForeignOrigin(request: AuthRequest): void {
  const { method, headers, ownOrigins } = request;
  if (isForeignPage(request, ownOrigins)) {
    throw new SondeError(
      'ORIGIN_REFUSED',
      "A session cookie is accepted only in requests from this server's own pages.",
    );
  }
  if (SAFE_METHODS.has(method) || ownOrigins.includes(headers.get('origin') ?? '')) return;
  throw new SondeError(
    'ORIGIN_REFUSED',
    "With a session cookie, a request that changes something must carry this server's own Origin.",
  );
}

/** The first session cookie if there are several. */
export function sessionCookieOf(headers: Pick<Headers, 'get'>): string | undefined {
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const pair = part.trim();
    if (pair.startsWith(`${SESSION_COOKIE}=`)) return pair.slice(SESSION_COOKIE.length + 1);
  }
  return undefined;
}
