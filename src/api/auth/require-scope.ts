/** Lets a route run only for a principal with the scope; says which scope was missing. */
import type { MiddlewareHandler } from 'hono';
import { SondeError } from '../../errors.js';
import type { Scope } from '../../scopes.js';
import type { AppContext, AppEnv } from '../app-env.js';
import type { Principal } from './principal.js';

export function requireScope(scope: Scope): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    demandScope(c, scope);
    return next();
  };
}

export function demandScope(c: AppContext, scope: Scope): Principal {
  const principal = c.get('principal');
  if (principal === undefined) {
    throw c.get('authFault') ?? new SondeError('MISSING_SECRET', 'This needs a credential.');
  }
  if (principal.scopes.has(scope)) return principal;
  throw new SondeError('FORBIDDEN', `This needs the scope "${scope}", which the credential does not have.`, {
    details: { scope },
  });
}
