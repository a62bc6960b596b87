/** Admits only principals with the required scope or role to a route, before any of the request's body is read. */
import type { MiddlewareHandler } from 'hono';
import {
  demandOperator as demandOperatorOf,
  demandPrincipal as demandPrincipalOf,
  demandScope as demandScopeOf,
  demandTenant as demandTenantOf,
  type Identity,
  type Principal,
  type TenantPrincipal,
} from '../../kernel/access.js';
import type { RouteAccess } from '../../proxy/index.js';
import { includesScope, type TenantScope } from '../../scopes.js';
import type { AppContext, AppEnv } from '../app-env.js';

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

/** Which inline routes a principal may use. Without authentication, everyone has the scope `admin`. */
export function routeAccessOf({ scopes, routes = [], paths }: Principal): RouteAccess {
  if (includesScope(scopes, 'admin')) return 'all';
  return { routes, ...(paths && { paths }) };
}

export const demandScope = (c: AppContext, scope: TenantScope): TenantPrincipal =>
  demandScopeOf(identityOf(c), scope);
export const demandTenant = (c: AppContext): TenantPrincipal => demandTenantOf(identityOf(c));
export const demandOperator = (c: AppContext): void => demandOperatorOf(identityOf(c));
export const demandPrincipal = (c: AppContext): Principal => demandPrincipalOf(identityOf(c));

export function isOperator(c: AppContext): boolean {
  return c.get('principal')?.scopes.has('operator') === true;
}

function identityOf(c: AppContext): Identity {
  const principal = c.get('principal');
  return principal ? { principal } : { fault: c.get('authFault') };
}
