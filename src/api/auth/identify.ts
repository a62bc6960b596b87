/**
 * Identifies the caller on every route. The route decides whether it needs a credential: a page does not, an API
 * operation does. Only a refused origin ends the request here.
 */
import type { MiddlewareHandler } from 'hono';
import { SondeError } from '../../errors.js';
import { bearerOf } from '../../proxy/index.js';
import type { AppEnv } from '../app-env.js';
import type { Authenticator } from './authenticator.js';

/** Everything else is a page. */
const NON_PAGE = /^\/(?:api|v1|r)\/|^\/metrics/;

export function identify(authenticator: Authenticator): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { method, url, path, raw } = c.req;
    const { headers } = raw;
    try {
      const { ownOrigins } = c.get('publicOrigin');
      const urlHost = new URL(url).host;
      const bearer = bearerOf(headers.get('authorization'));
      const request = { method, urlHost, headers, ownOrigins, bearer, page: !NON_PAGE.test(path) };
      c.set('principal', await authenticator.authenticate(request));
    } catch (thrown) {
      if (thrown instanceof SondeError && thrown.code === 'ORIGIN_REFUSED') throw thrown;
      c.set('authFault', thrown);
    }
    return next();
  };
}
