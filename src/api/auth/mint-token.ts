/** Mints a service JWT that `verify-jwt.ts` accepts; rejects options whose token would not be accepted. */
import { type JWTPayload, SignJWT } from 'jose';
import { SondeError } from '../../errors.js';
import type { RouteClaims } from '../../route-claims.js';
import { isTenantScope, TENANT_SCOPES } from '../../scopes.js';
import { isTenantSlug } from './principal.js';
import { routeClaimsFault } from './route-claims-fault.js';
import { claimsFor, hmacKey } from './verify-jwt.js';

/** What a token grants: some scopes of a tenant, or operating the whole server. */
export type TokenGrant =
  | ({ readonly tenant: string; readonly scopes: readonly string[] } & RouteClaims)
  | { readonly operator: true };

export type MintTokenOptions = TokenGrant & {
  readonly secret: string;
  readonly expiresInSeconds: number;
  readonly issuer?: string;
  readonly audience?: string;
  /** Milliseconds since the epoch; now by default. */
  readonly nowMs?: number;
};

export async function mintToken(options: MintTokenOptions): Promise<string> {
  const { expiresInSeconds, issuer, audience, nowMs = Date.now() } = options;
  if (!Number.isSafeInteger(expiresInSeconds) || expiresInSeconds < 1) {
    throw refused('The lifetime must be a whole number of seconds, at least 1.');
  }
  const issuedAt = Math.floor(nowMs / 1000);
  const token = new SignJWT(claims(options))
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + expiresInSeconds);
  if (issuer !== undefined) token.setIssuer(issuer);
  if (audience !== undefined) token.setAudience(audience);
  return token.sign(await hmacKey(options.secret));
}

function claims(grant: TokenGrant): JWTPayload {
  if ('operator' in grant) return { scope: 'operator' };
  const { tenant, scopes, ...limits } = grant;
  if (!isTenantSlug(tenant)) {
    throw refused('The tenant must be a slug of a-z, 0-9 and -, at most 63 characters.');
  }
  const unknown = scopes.find((scope) => !isTenantScope(scope));
  if (unknown !== undefined) {
    throw refused(
      unknown === 'operator'
        ? 'The scope "operator" does not belong to a tenant. Mint a separate token with --operator.'
        : `Unknown scope "${unknown}"; valid scopes are ${TENANT_SCOPES.join(', ')}.`,
    );
  }
  const fault = routeClaimsFault({ scopes, ...limits });
  if (fault !== undefined) throw refused(`${fault}.`);
  return claimsFor({ tenant, scopes: new Set(scopes.filter(isTenantScope)), ...limits });
}

function refused(message: string): SondeError {
  return new SondeError('USAGE', message);
}
