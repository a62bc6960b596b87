/**
 * `GET /api/session` returns the caller. `POST` turns a one-time code into the browser's session cookie. `DELETE` ends
 * the session, so that copies of the cookie are refused too, and deletes the cookie. A page of another origin can do
 * neither: it must not be able to log its visitor in as someone else.
 */
import { deleteCookie, setCookie } from 'hono/cookie';
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import { SCOPES } from '../../scopes.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { SESSION_COOKIE, sessionCookieOf } from '../auth/authenticator.js';
import { demandPrincipal } from '../auth/require-scope.js';
import { SESSION_SECONDS } from '../auth/session-tokens.js';
import { jsonBody } from '../middleware/json-body.js';
import { errorResponses, storeErrors } from '../views/error-responses.js';
import { jsonRequest, jsonResponse, NO_SECURITY, NO_STORE, operations } from '../views/operation.js';
import { responseHeaders } from '../views/response-headers.js';
import { iso, time } from '../views/time.js';

/** A login needs no credential, so its body must be small. */
const LOGIN_BODY_BYTES_MAX = 4096;

const LoginRequest = z
  .strictObject({
    code: z.string().min(1).max(1024).describe('The code in a login link of the server or of `sonde login`.'),
  })
  .meta({ id: 'LoginRequest' });

const Session = z
  .object({
    tenant: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    expiresAt: time.describe('When the session expires.'),
  })
  .meta({ id: 'Session' });

const operation = operations('Session');

const create = operation.post('/api/session', 'createSession', {
  middleware: jsonBody({ allow: refuseForeignPage, bytesMax: LOGIN_BODY_BYTES_MAX }),
  summary: 'Log in with a one-time code',
  description:
    'Sets an HttpOnly, SameSite=Strict cookie. A code of the server works once, within an hour; one of `sonde login` once, within ten minutes.',
  security: NO_SECURITY,
  request: jsonRequest(LoginRequest),
  responses: {
    200: { ...jsonResponse('Logged in.', Session), headers: responseHeaders('Set-Cookie') },
    ...errorResponses(
      'RATE_LIMITED',
      'INVALID_LOGIN_CODE',
      'NOT_FOUND',
      'UNSUPPORTED_MEDIA_TYPE',
      'STORAGE_UNAVAILABLE',
    ),
  },
});

const Caller = z
  .object({
    tenant: z.string().nullable().describe('Null for an operator without a tenant.'),
    scopes: z.array(z.enum(SCOPES)).describe('`admin` includes every scope but `operator`.'),
    via: z
      .enum(['session', 'jwt', 'service-token', 'none'])
      .describe('`none`: the server needs no credential.'),
    expiresAt: time.optional().describe('When the session expires.'),
  })
  .meta({ id: 'Caller' });

const show = operation.get('/api/session', 'getSession', {
  summary: 'Get the tenant and the scopes of the caller',
  description: 'Works with any credential.',
  responses: { 200: jsonResponse('The caller.', Caller), ...storeErrors() },
});

const remove = operation.delete('/api/session', 'deleteSession', {
  summary: 'Log out',
  description: 'Ends the session of the cookie and deletes the cookie.',
  security: NO_SECURITY,
  responses: {
    204: { description: 'Logged out.', headers: responseHeaders('Set-Cookie') },
    ...errorResponses('RATE_LIMITED', 'STORAGE_UNAVAILABLE'),
  },
});

export function addSession(app: App, { login, clock }: AppDeps): void {
  app.openapi(create, async (c) => {
    if (login === undefined) {
      throw new SondeError(
        'NOT_FOUND',
        'This server runs without authentication; there is nothing to log in to.',
      );
    }
    const { token, grant } = await login.redeem(c.req.valid('json').code);
    setCookie(c, SESSION_COOKIE, token, { ...cookieAttributes(c), maxAge: SESSION_SECONDS });
    const expiresAt = iso(clock() + SESSION_SECONDS * 1000);
    return c.json({ tenant: grant.tenant, scopes: [...grant.scopes], expiresAt }, 200, NO_STORE);
  });

  app.openapi(show, (c) => {
    const { tenant, scopes, via, expiresAt } = demandPrincipal(c);
    const expiry = expiresAt !== undefined && { expiresAt: iso(expiresAt) };
    return c.json({ tenant, scopes: [...scopes], via, ...expiry }, 200, NO_STORE);
  });

  app.openapi(remove, async (c) => {
    refuseForeignPage(c);
    const cookie = sessionCookieOf(c.req.raw.headers);
    if (cookie !== undefined) await login?.end(cookie);
    deleteCookie(c, SESSION_COOKIE, cookieAttributes(c));
    return c.body(null, 204);
  });
}

function cookieAttributes(c: AppContext) {
  return { httpOnly: true, sameSite: 'Strict', path: '/', secure: c.var.publicOrigin.secure } as const;
}

function refuseForeignPage(c: AppContext): void {
  const origin = c.req.header('origin');
  if (origin === undefined || c.var.publicOrigin.ownOrigins.includes(origin)) return;
  throw new SondeError('ORIGIN_REFUSED', "A session can only be changed from this server's own pages.");
}
