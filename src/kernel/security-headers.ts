/**
 * Security headers of every response. The default policy allows a browser to load and run nothing; a page replaces it
 * with a policy that lists its own inline script and style by hash (`pages/html-page.ts`).
 */

// `sandbox` also blocks what source lists do not cover, such as a `<meta>` refresh in an upstream's page.
const DENY_ALL = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** Headers of every response, including those sent without this middleware. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Keeps responses out of another site's <img> and <script>; reading by CORS is not affected.
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Headers of every response that is not a page. */
export const NO_PAGE_HEADERS: Readonly<Record<string, string>> = { 'Content-Security-Policy': DENY_ALL };
