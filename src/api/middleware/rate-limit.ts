/** Counts requests against the rate limit. */
import type { MiddlewareHandler } from 'hono';
import { clientAddressOf } from '../../kernel/public-origin.js';
import type { AppDeps, AppEnv } from '../app-env.js';

/** A probe must not fail under load. */
const EXEMPT = new Set(['/api/health', '/api/ready']);

export function rateLimit(deps: AppDeps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (EXEMPT.has(c.req.path)) return next();
    const request = { peerAddress: c.env?.peerAddress, header: (name: string) => c.req.header(name) };
    const caller = { principal: c.get('principal'), address: clientAddressOf(request, deps) };
    const { headers, refusal } = deps.rateLimiter.take(caller);
    const setHeaders = () => {
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
    };
    if (refusal) {
      setHeaders();
      throw refusal;
    }
    await next();
    setHeaders();
  };
}
