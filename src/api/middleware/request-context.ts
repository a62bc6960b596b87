/**
 * The outermost middleware: gives each request an id, a log and its public origin, and returns the id in the response.
 * A plain incoming id is kept, so that a trace can span services; any other is replaced.
 */
import type { MiddlewareHandler } from 'hono';
import { readPublicOrigin } from '../../kernel/public-origin.js';
import { requestIdOf } from '../../kernel/refusals.js';
import type { AppDeps, AppEnv } from '../app-env.js';

export function requestContext(deps: AppDeps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const requestId = requestIdOf(c.req.header('x-request-id'));
    c.set('requestId', requestId);
    c.set('log', deps.log.child({ requestId }));
    const request = {
      url: c.req.url,
      peerAddress: c.env?.peerAddress,
      header: (name: string) => c.req.header(name),
    };
    c.set('publicOrigin', readPublicOrigin(request, deps));
    await next();
    // A response passed through from an upstream keeps the upstream's id.
    if (!c.res.headers.has('X-Request-Id')) c.res.headers.set('X-Request-Id', requestId);
  };
}
