import type { MiddlewareHandler } from 'hono';
import { NO_PAGE_HEADERS, SECURITY_HEADERS } from '../../kernel/security-headers.js';
import type { AppEnv } from '../app-env.js';

/** Adds the security headers, unless a page has its own policy. */
export const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { headers } = c.res;
  for (const [name, value] of Object.entries(NO_PAGE_HEADERS))
    if (!headers.has(name)) headers.set(name, value);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value);
};
