/**
 * Login codes from another process with the same data folder: `sonde login` signs a code with the session key, and the
 * server accepts it once. A code has its own type and audience, so it is neither a session nor a bearer token.
 */
import { jwtVerify, SignJWT } from 'jose';
import { SondeError } from '../../errors.js';
import { SCOPES } from '../../scopes.js';
import type { TenantGrant } from './principal.js';
import type { RevokedSessions } from './revoked-sessions.js';
import { CLOCK_TOLERANCE_SECONDS, claimsFor, claimsOf, hmacKey } from './verify-jwt.js';

const TYPE = 'sonde-login+jwt';
const AUDIENCE = 'sonde:login';
const CODE_SECONDS = 10 * 60;

export async function signLoginCode(sessionKey: string, grant: TenantGrant, nowMs: number): Promise<string> {
  const issuedAt = Math.floor(nowMs / 1000);
  return new SignJWT(claimsFor(grant))
    .setProtectedHeader({ alg: 'HS256', typ: TYPE })
    .setAudience(AUDIENCE)
    .setJti(crypto.randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + CODE_SECONDS)
    .sign(await hmacKey(sessionKey));
}

export function isSignedCode(code: string): boolean {
  return code.includes('.');
}

interface CodeDeps {
  readonly clock: () => number;
  readonly revoked: RevokedSessions;
}

/** The returned function resolves to what a code grants, after the code was durably marked as used. */
export function createCodeRedeemer(
  sessionKey: string,
  { clock, revoked }: CodeDeps,
): (code: string) => Promise<TenantGrant> {
  const key = hmacKey(sessionKey);
  /** Codes that are being redeemed: only one of two concurrent requests may succeed. */
  const spending = new Set<string>();
  return async (code) => {
    const payload = await jwtVerify(code, await key, {
      algorithms: ['HS256'],
      typ: TYPE,
      audience: AUDIENCE,
      requiredClaims: ['exp', 'jti'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(clock()),
    }).then(
      (verified) => verified.payload,
      () => {
        throw refused();
      },
    );
    const { jti = '', exp = 0 } = payload;
    const { tenant, names, claims } = claimsOf(payload);
    if (tenant === undefined || spending.has(jti)) throw refused();
    spending.add(jti);
    try {
      if (await revoked.has(jti)) throw refused();
      await revoked.add(jti, (exp + CLOCK_TOLERANCE_SECONDS) * 1000);
    } finally {
      spending.delete(jti);
    }
    return { tenant, scopes: new Set(SCOPES.filter((scope) => names.includes(scope))), ...claims };
  };
}

function refused(): SondeError {
  return new SondeError('INVALID_LOGIN_CODE', 'This login code was used already, has expired or is unknown.');
}
