/**
 * Finds out who is asking, on every route, and leaves judging to the route: a page is served without a
 * credential, a scope is not. Only a refused origin stops the request here, whatever it asks for.
 */
import type { MiddlewareHandler } from 'hono';
import { SondeError } from '../../errors.js';
import type { AppEnv } from '../app-env.js';
import type { Authenticator } from './authenticator.js';

export function identify(authenticator: Authenticator): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { method, url, raw } = c.req;
    try {
      const { ownOrigins } = c.get('outward');
      c.set('principal', await authenticator.authenticate({ method, url, headers: raw.headers, ownOrigins }));
    } catch (thrown) {
      if (thrown instanceof SondeError && thrown.code === 'ORIGIN_REFUSED') throw thrown;
      c.set('authFault', thrown);
    }
    return next();
  };
}
