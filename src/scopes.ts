/**
 * All scopes. Every scope except `operator` applies within one tenant, where `admin` includes the others. `operator` is
 * for the whole server (metrics, readiness details); it belongs to no tenant, and no tenant's token can have it.
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

const TENANT_SCOPE_SET: ReadonlySet<string> = new Set(TENANT_SCOPES);

export function isTenantScope(text: string): text is TenantScope {
  return TENANT_SCOPE_SET.has(text);
}

export function includesScope(granted: ReadonlySet<Scope>, needed: Scope): boolean {
  return granted.has(needed) || (needed !== 'operator' && granted.has('admin'));
}
