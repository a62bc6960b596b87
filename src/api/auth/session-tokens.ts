/**
 * The browser's session: a short JWT in a cookie. It has its own key, type and audience, so it is never a
 * bearer token and a bearer token is never a session, even if one key were used for both by mistake.
 */
import { jwtVerify, SignJWT } from 'jose';
import { fromJoseError, invalidSecret } from './invalid-secret.js';
import type { Grant } from './principal.js';
import { CLOCK_TOLERANCE_SECONDS, grantOf, hmacKey, TOKEN_CHARS_MAX } from './verify-jwt.js';

export const SESSION_SECONDS = 12 * 60 * 60;

const TYPE = 'sonde-session+jwt';
const AUDIENCE = 'sonde:session';

export interface SessionTokens {
  mint(grant: Grant): Promise<string>;
  verify(token: string): Promise<Grant>;
}

export function createSessionTokens(key: string, clock: () => number): SessionTokens {
  const bytes = hmacKey(key);
  return {
    mint({ tenant, scopes }) {
      const issuedAt = Math.floor(clock() / 1000);
      return new SignJWT({ tenant, scope: [...scopes].join(' ') })
        .setProtectedHeader({ alg: 'HS256', typ: TYPE })
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + SESSION_SECONDS)
        .sign(bytes);
    },
    async verify(token) {
      if (token.length > TOKEN_CHARS_MAX) throw invalidSecret('too_long');
      try {
        const { payload } = await jwtVerify(token, bytes, {
          algorithms: ['HS256'],
          typ: TYPE,
          audience: AUDIENCE,
          requiredClaims: ['exp'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(clock()),
        });
        return grantOf(payload);
      } catch (thrown) {
        throw fromJoseError(thrown);
      }
    },
  };
}
