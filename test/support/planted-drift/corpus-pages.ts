/** The well-configured page that the drifts of the corpus start from. */
import { type CannedResponse, page, withHeaders } from './drift-case.js';

export const HSTS = 'max-age=31536000; includeSubDomains; preload';
export const CSP = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
const SAFE = {
  'strict-transport-security': HSTS,
  'content-security-policy': CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cache-control': 'public, max-age=600',
  vary: 'Accept-Encoding',
};
export const safe = (
  changes: Record<string, string | string[] | undefined> = {},
  response: CannedResponse = page(),
): CannedResponse => {
  const headers = Object.entries({ ...SAFE, ...changes }).filter(([, value]) => value !== undefined);
  return withHeaders(Object.fromEntries(headers) as NonNullable<CannedResponse['headers']>, response);
};
export const FINE = safe();
