/**
 * Static service tokens from the configuration. Only their digests are kept, and a lookup always compares all of them,
 * so its timing does not reveal which one nearly matched.
 */
import { SondeError } from '../../errors.js';
import { isTenantScope, TENANT_SCOPES } from '../../scopes.js';
import { isTenantSlug, type TenantGrant } from './principal.js';
import { routeClaimsFault } from './route-claims-fault.js';
import { sameDigest, secretDigest } from './secret-digest.js';

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

export function createServiceTokenFinder(tokens: readonly ServiceToken[]): FindServiceToken {
  if (tokens.length > SERVICE_TOKENS_MAX) throw refused(`at most ${SERVICE_TOKENS_MAX} tokens are allowed`);
  const known = tokens.map((entry, index) => ({
    digest: secretDigest(entry.token),
    grant: grantOf(entry, index),
  }));
  return (presented) => {
    const digest = secretDigest(presented);
    let found: TenantGrant | undefined;
    for (const entry of known) {
      if (sameDigest(entry.digest, digest)) found = entry.grant;
    }
    return found;
  };
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
