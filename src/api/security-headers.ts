/**
 * Headers that every answer carries. The default policy lets a browser do nothing at all with an answer;
 * a page replaces it by one that names its own inline script and style by hash (`pages/html-page.ts`).
 */
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-env.js';

const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { headers } = c.res;
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', NOTHING);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Referrer-Policy', 'no-referrer');
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  // Keeps answers out of another site's <img> and <script>; reading by CORS is not affected.
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
};
