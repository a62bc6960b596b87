/** On whose behalf a request acts: a tenant, or the server's operator, who may have no tenant. */
import type { RouteClaims } from '../../route-claims.js';
import type { Scope } from '../../scopes.js';

export interface Principal extends RouteClaims {
  /** Null for a token that only has the scope `operator`. */
  readonly tenant: string | null;
  readonly scopes: ReadonlySet<Scope>;
  readonly via: 'jwt' | 'service-token' | 'session' | 'none';
  /** When the session expires, in milliseconds since the epoch; only set for sessions. */
  readonly expiresAt?: number;
}

/** What a credential of any kind grants. */
export type Grant = Pick<Principal, 'tenant' | 'scopes' | keyof RouteClaims>;

export interface TenantGrant extends Grant {
  readonly tenant: string;
}

/** The tenant that exists on every server. */
export const DEFAULT_TENANT = 'default';

const TENANT_SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function isTenantSlug(text: string): boolean {
  return TENANT_SLUG.test(text);
}
