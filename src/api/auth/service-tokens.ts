/**
 * Static service tokens from the configuration. They are found by their SHA-256 and not kept themselves. The time of a
 * lookup depends on digests only, which reveal nothing about how much of a token matched.
 */
import { SondeError } from '../../errors.js';
import { isTenantScope, TENANT_SCOPES } from '../../scopes.js';
import { isTenantSlug, type TenantGrant } from './principal.js';
import { routeClaimsFault } from './route-claims-fault.js';
import { portableSha256, type Sha256 } from './secret-digest.js';

export const SERVICE_TOKEN_CHARS_MIN = 32;
export const SERVICE_TOKENS_MAX = 1000;

export interface ServiceToken {
  readonly token: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
  readonly routes?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
}

export type FindServiceToken = (presented: string) => TenantGrant | undefined;

export function createServiceTokenFinder(
  tokens: readonly ServiceToken[],
  sha256: Sha256 = portableSha256,
): FindServiceToken {
  if (tokens.length > SERVICE_TOKENS_MAX) throw refused(`at most ${SERVICE_TOKENS_MAX} tokens are allowed`);
  const known = new Map(tokens.map((entry, index) => [sha256(entry.token), grantOf(entry, index)]));
  if (known.size === 0) return () => undefined;
  return (presented) => known.get(sha256(presented));
}

function grantOf({ token, tenant, scopes, routes, paths }: ServiceToken, index: number): TenantGrant {
  if (token.length < SERVICE_TOKEN_CHARS_MIN) {
    throw refused(`token ${index + 1} must have at least ${SERVICE_TOKEN_CHARS_MIN} characters`);
  }
  if (!isTenantSlug(tenant)) throw refused(`the tenant of token ${index + 1} must be a slug`);
  const unknown = scopes.find((scope) => !isTenantScope(scope));
  if (unknown !== undefined) {
    throw refused(
      `scope "${unknown}" of token ${index + 1} is unknown; valid scopes are ${TENANT_SCOPES.join(', ')}`,
    );
  }
  const fault = routeClaimsFault({ scopes, routes, paths });
  if (fault !== undefined) throw refused(`token ${index + 1}: ${fault}`);
  return {
    tenant,
    scopes: new Set(scopes.filter(isTenantScope)),
    ...(routes && { routes }),
    ...(paths && { paths }),
  };
}

function refused(rule: string): SondeError {
  return new SondeError('CONFIG_INVALID_VALUE', `auth.serviceTokens: ${rule}.`, {
    details: { key: 'auth.serviceTokens' },
  });
}
