/** Who a request acts for: one tenant, or the server's operator, who alone may have none. */
import type { Scope } from '../../scopes.js';

export interface Principal {
  /** Null for a token that only has the scope `operator`. */
  readonly tenant: string | null;
  readonly scopes: ReadonlySet<Scope>;
  readonly via: 'jwt' | 'service-token' | 'session' | 'none';
  /** Of a session, in milliseconds since the epoch. */
  readonly expiresAt?: number;
}

/** What a credential grants, wherever it was found. */
export type Grant = Pick<Principal, 'tenant' | 'scopes'>;

export interface TenantGrant extends Grant {
  readonly tenant: string;
}

/** Exists on every server. */
export const DEFAULT_TENANT = 'default';

const TENANT_SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function isTenantSlug(text: string): boolean {
  return TENANT_SLUG.test(text);
}
