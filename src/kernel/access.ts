/**
 * Who may use an operation. An operation states its access as data; `admit` is the only code that compares it with a
 * caller. A proof is checked by the operation itself, because it is in the request: a signed URL, or the token of a wake.
 */
import { SondeError } from '../errors.js';
import type { RouteClaims } from '../route-claims.js';
import { includesScope, type Scope, type TenantScope } from '../scopes.js';

/** On whose behalf a request acts: a tenant, or the server's operator, who may have no tenant. */
export interface Principal extends RouteClaims {
  /** Null for a token that only has the scope `operator`. */
  readonly tenant: string | null;
  readonly scopes: ReadonlySet<Scope>;
  readonly via: 'jwt' | 'service-token' | 'session' | 'none';
  /** When the session expires, in milliseconds since the epoch; only set for sessions. */
  readonly expiresAt?: number;
}

export interface TenantPrincipal extends Principal {
  readonly tenant: string;
}

export type Access =
  | { readonly scope: TenantScope }
  /** `run` narrows the operation to what the caller's scopes allow. */
  | { readonly anyOf: readonly TenantScope[] }
  | { readonly by: 'anyone' | 'credential' | 'tenant' | 'operator' }
  /** Without the proof, a credential with the scope `or` is enough. */
  | { readonly proof: 'signature' | 'holder'; readonly or?: TenantScope };

/** The caller, or why there is none. */
export interface Identity {
  readonly principal?: Principal;
  readonly fault?: unknown;
}

/** Throws unless the caller may use an operation with this access, as far as that does not depend on a proof. */
export function admit(access: Access, identity: Identity): void {
  if ('scope' in access) demandScope(identity, access.scope);
  else if ('anyOf' in access) demandAnyOf(identity, access.anyOf);
  else if ('by' in access) demandRole(identity, access.by);
}

export function demandScope(identity: Identity, scope: TenantScope): TenantPrincipal {
  const principal = demandTenant(identity);
  if (includesScope(principal.scopes, scope)) return principal;
  throw lacksScope(scope);
}

/** For operations that accept any credential of a tenant. */
export function demandTenant(identity: Identity): TenantPrincipal {
  const principal = demandPrincipal(identity);
  if (hasTenant(principal)) return principal;
  throw new SondeError(
    'FORBIDDEN',
    "This operation needs a tenant's credential; this one is for operators only.",
  );
}

/** For operations that concern the whole server. */
export function demandOperator(identity: Identity): void {
  if (!includesScope(demandPrincipal(identity).scopes, 'operator')) throw lacksScope('operator');
}

/** For operations that accept any credential. */
export function demandPrincipal({ principal, fault }: Identity): Principal {
  if (principal) return principal;
  throw fault ?? new SondeError('MISSING_SECRET', 'A credential is required.');
}

function demandAnyOf(identity: Identity, scopes: readonly TenantScope[]): void {
  const { scopes: granted } = demandTenant(identity);
  const [first] = scopes;
  if (first !== undefined && !scopes.some((scope) => includesScope(granted, scope))) throw lacksScope(first);
}

function demandRole(identity: Identity, role: Extract<Access, { by: string }>['by']): void {
  if (role === 'operator') demandOperator(identity);
  else if (role === 'tenant') demandTenant(identity);
  else if (role === 'credential') demandPrincipal(identity);
}

function hasTenant(principal: Principal): principal is TenantPrincipal {
  return principal.tenant !== null;
}

function lacksScope(scope: Scope): SondeError {
  return new SondeError(
    'FORBIDDEN',
    `This operation needs the scope "${scope}", which the credential does not have. ${mintHint(scope)}`,
    { details: { scope } },
  );
}

function mintHint(scope: Scope): string {
  return `Mint a token that does: sonde token ${scope === 'operator' ? '--operator' : `--scope ${scope}`}`;
}
