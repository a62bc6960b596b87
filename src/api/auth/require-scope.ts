/** Admits only principals with the required scope or role to a route, before any of the request's body is read. */
import type { MiddlewareHandler } from 'hono';
import { SondeError } from '../../errors.js';
import type { RouteAccess } from '../../proxy/index.js';
import { includesScope, type Scope, type TenantScope } from '../../scopes.js';
import type { AppContext, AppEnv } from '../app-env.js';
import type { Principal } from './principal.js';

export interface TenantPrincipal extends Principal {
  readonly tenant: string;
}

/** Admits any credential. It goes before the validation of a request, so that a 401 comes before a 400. */
export const requireCredential: MiddlewareHandler<AppEnv> = async (c, next) => {
  demandPrincipal(c);
  return next();
};

export function requireScope(scope: TenantScope): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    demandScope(c, scope);
    return next();
  };
}

export function demandScope(c: AppContext, scope: TenantScope): TenantPrincipal {
  const principal = demandTenant(c);
  if (includesScope(principal.scopes, scope)) return principal;
  throw lacksScope(scope);
}

/** Which inline routes a principal may use. Without authentication, everyone has the scope `admin`. */
export function routeAccessOf({ scopes, routes = [], paths }: Principal): RouteAccess {
  if (includesScope(scopes, 'admin')) return 'all';
  return { routes, ...(paths && { paths }) };
}

/** For routes that accept any credential of a tenant. */
export function demandTenant(c: AppContext): TenantPrincipal {
  const principal = demandPrincipal(c);
  const { tenant } = principal;
  if (tenant !== null) return { ...principal, tenant };
  throw new SondeError(
    'FORBIDDEN',
    "This operation needs a tenant's credential; this one is for operators only.",
  );
}

/** For routes that concern the whole server. */
export function demandOperator(c: AppContext): void {
  if (!includesScope(demandPrincipal(c).scopes, 'operator')) throw lacksScope('operator');
}

export function isOperator(c: AppContext): boolean {
  return c.get('principal')?.scopes.has('operator') === true;
}

/** For routes that accept any credential. */
export function demandPrincipal(c: AppContext): Principal {
  const principal = c.get('principal');
  if (principal) return principal;
  throw c.get('authFault') ?? new SondeError('MISSING_SECRET', 'A credential is required.');
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
