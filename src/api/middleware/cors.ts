/** Adds the headers of CORS to every response, and answers preflights. */
import type { MiddlewareHandler } from 'hono';
import { createCorsHeaders, exposedOf, preflightHeaders } from '../../kernel/cors.js';
import type { AppEnv } from '../app-env.js';

export function cors(origins: readonly string[]): MiddlewareHandler<AppEnv> {
  const headersFor = createCorsHeaders(origins);
  return async (c, next) => {
    const preflight = c.req.method === 'OPTIONS';
    if (preflight) c.res = new Response(null, { status: 204, headers: preflightHeaders(null, false) });
    else await next();
    for (const [name, value] of Object.entries(headersFor(c.req.header('origin') ?? null))) {
      if (name === 'Vary') c.res.headers.append(name, value);
      else c.res.headers.set(name, value);
    }
    if (!preflight) c.res.headers.set('Access-Control-Expose-Headers', exposedOf(c.res.headers.keys()));
  };
}
