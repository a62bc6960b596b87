/** Mints a service JWT that `verify-jwt.ts` accepts; refuses what that would refuse. */
import { SignJWT } from 'jose';
import { SondeError } from '../../errors.js';
import { isScope, SCOPES } from '../../scopes.js';
import { isTenantSlug } from './principal.js';
import { hmacKey } from './verify-jwt.js';

export interface MintTokenOptions {
  readonly secret: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
  readonly expiresInSeconds: number;
  readonly issuer?: string;
  readonly audience?: string;
  /** Milliseconds since the epoch; now unless told. */
  readonly nowMs?: number;
}

export async function mintToken(options: MintTokenOptions): Promise<string> {
  const { tenant, scopes, expiresInSeconds, issuer, audience, nowMs = Date.now() } = options;
  if (!isTenantSlug(tenant))
    throw refused('The tenant must be a slug of a-z, 0-9 and -, at most 63 characters.');
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) throw refused(`There is no scope "${unknown}"; there are ${SCOPES.join(', ')}.`);
  if (!Number.isSafeInteger(expiresInSeconds) || expiresInSeconds < 1) {
    throw refused('The lifetime must be a whole number of seconds, at least 1.');
  }
  const issuedAt = Math.floor(nowMs / 1000);
  const token = new SignJWT({ tenant, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + expiresInSeconds);
  if (issuer !== undefined) token.setIssuer(issuer);
  if (audience !== undefined) token.setAudience(audience);
  return token.sign(hmacKey(options.secret));
}

function refused(message: string): SondeError {
  return new SondeError('USAGE', message);
}
