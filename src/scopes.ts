/**
 * Every scope. All but `operator` act within one tenant, where `admin` includes the others. `operator` is for the
 * server as a whole (metrics, readiness details), belongs to no tenant and no tenant's token can carry it.
 */
export const TENANT_SCOPES = [
  'stream:read',
  'stream:write',
  'proxy:create',
  'proxy:read',
  'proxy:admin',
  'audit:read',
  'audit:write',
  'compare:read',
  'compare:write',
  'admin',
] as const;

export const SCOPES = [...TENANT_SCOPES, 'operator'] as const;

export type TenantScope = (typeof TENANT_SCOPES)[number];
export type Scope = (typeof SCOPES)[number];

const OF_TENANTS: ReadonlySet<string> = new Set(TENANT_SCOPES);

export function isTenantScope(text: string): text is TenantScope {
  return OF_TENANTS.has(text);
}

export function includesScope(granted: ReadonlySet<Scope>, needed: Scope): boolean {
  return granted.has(needed) || (needed !== 'operator' && granted.has('admin'));
}
