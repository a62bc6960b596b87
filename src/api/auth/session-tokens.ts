/**
 * The browser's session: a short JWT in a cookie. It has its own key, type and audience, so a session is never accepted
 * as a bearer token or the reverse, even if one key were used for both by mistake. Each session has an id, by which it
 * can be ended before it expires.
 */
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { SCOPES } from '../../scopes.js';
import { fromJoseError, invalidSecret } from './invalid-secret.js';
import type { TenantGrant } from './principal.js';
import type { RevokedSessions } from './revoked-sessions.js';
import { CLOCK_TOLERANCE_SECONDS, claimsFor, claimsOf, hmacKey, TOKEN_CHARS_MAX } from './verify-jwt.js';

export const SESSION_SECONDS = 12 * 60 * 60;

const TYPE = 'sonde-session+jwt';
const AUDIENCE = 'sonde:session';

export interface SessionTokens {
  mint(grant: TenantGrant): Promise<string>;
  verify(token: string): Promise<TenantGrant & { readonly expiresAt: number }>;
  /** Revokes the token. An invalid token is ignored. */
  end(token: string): Promise<void>;
}

interface SessionDeps {
  readonly clock: () => number;
  readonly revoked: RevokedSessions;
}

export function createSessionTokens(key: string, { clock, revoked }: SessionDeps): SessionTokens {
  const imported = hmacKey(key);
  const read = async (token: string): Promise<JWTPayload> => {
    if (token.length > TOKEN_CHARS_MAX) throw invalidSecret('too_long');
    try {
      const { payload } = await jwtVerify(token, await imported, {
        algorithms: ['HS256'],
        typ: TYPE,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'jti'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(clock()),
      });
      return payload;
    } catch (thrown) {
      throw fromJoseError(thrown);
    }
  };
  return {
    async mint(grant) {
      const issuedAt = Math.floor(clock() / 1000);
      return new SignJWT(claimsFor(grant))
        .setProtectedHeader({ alg: 'HS256', typ: TYPE })
        .setAudience(AUDIENCE)
        .setJti(crypto.randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + SESSION_SECONDS)
        .sign(await imported);
    },
    async verify(token) {
      const payload = await read(token);
      if (await revoked.has(payload.jti ?? '')) throw invalidSecret('logged_out');
      const { tenant, names, claims } = claimsOf(payload);
      if (tenant === undefined) throw invalidSecret('tenant');
      const scopes = new Set(SCOPES.filter((scope) => names.includes(scope)));
      return { tenant, scopes, ...claims, expiresAt: (payload.exp ?? 0) * 1000 };
    },
    async end(token) {
      const session = await read(token).catch(() => undefined);
      if (!session) return;
      const { jti = '', exp = 0 } = session;
      await revoked.add(jti, (exp + CLOCK_TOLERANCE_SECONDS) * 1000);
    },
  };
}
