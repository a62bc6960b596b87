/**
 * Who a request acts for. A principal always names one tenant; nothing in the product acts for none or
 * for several.
 */
import type { Scope } from '../../scopes.js';

export interface Principal {
  readonly tenant: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly via: 'jwt' | 'service-token' | 'session' | 'none';
}

/** What a credential grants, before it is known how the credential came. */
export type Grant = Pick<Principal, 'tenant' | 'scopes'>;

/** The tenant of a server that was never told about tenants. */
export const DEFAULT_TENANT = 'default';

const TENANT_SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function isTenantSlug(text: string): boolean {
  return TENANT_SLUG.test(text);
}
