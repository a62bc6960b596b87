/**
 * Headers that every response carries. The default policy lets a browser do nothing at all with a response;
 * a page replaces it by one that names its own inline script and style by hash (`pages/html-page.ts`).
 */
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../app-env.js';

// `sandbox` also stops what no source list covers, such as a `<meta>` refresh in an upstream's page.
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** Of every response, by any path through the program. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Keeps responses out of another site's <img> and <script>; reading by CORS is not affected.
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Of every response that is no page. */
export const NO_PAGE_HEADERS: Readonly<Record<string, string>> = { 'Content-Security-Policy': NOTHING };

export const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { headers } = c.res;
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', NOTHING);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value);
};
