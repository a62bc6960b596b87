/**
 * Identifies the caller on every route. The route decides whether it needs a credential: a page does not, an API
 * operation does. Only a refused origin ends the request here.
 */
import type { MiddlewareHandler } from 'hono';
import { SondeError } from '../../errors.js';
import type { AppEnv } from '../app-env.js';
import type { Authenticator } from './authenticator.js';
import type { FindCredential } from './shown-credential.js';

export function identify(
  authenticator: Authenticator,
  findCredential: FindCredential,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { method, url, path, raw } = c.req;
    const { headers } = raw;
    try {
      const { ownOrigins } = c.get('publicOrigin');
      const shown = findCredential({ headers, url });
      const urlHost = new URL(url).host;
      const request = { method, urlHost, path, headers, ownOrigins, ...shown };
      c.set('principal', await authenticator.authenticate(request));
    } catch (thrown) {
      if (thrown instanceof SondeError && thrown.code === 'ORIGIN_REFUSED') throw thrown;
      c.set('authFault', thrown);
    }
    return next();
  };
}
