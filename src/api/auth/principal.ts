/** What credentials grant, and the names of tenants. */
import type { Principal } from '../../kernel/access.js';
import type { RouteClaims } from '../../route-claims.js';

export type { Principal };

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
