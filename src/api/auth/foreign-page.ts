/**
 * Detects requests that a page of another origin caused. If the page needs no credential of its own (a cookie, or no
 * authentication at all), such a request may only open our pages, because some operations of GET have effects.
 * Browsers state the origin of a request in `Origin`, `Sec-Fetch-Site` and `Referer`. Another port of the same host is
 * `same-site` and counts as foreign.
 */
import { tryUrl } from '../../try-url.js';
import type { AuthRequest } from './authenticator.js';

export function isForeignPage(request: AuthRequest, ownOrigins: readonly string[]): boolean {
  return isForeign(request.headers, ownOrigins) && !opensPage(request);
}

function isForeign(headers: AuthRequest['headers'], ownOrigins: readonly string[]): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return !ownOrigins.includes(origin);
  const site = headers.get('sec-fetch-site');
  // `none` means that the user started the request, with a typed address or a bookmark.
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  const referer = headers.get('referer');
  return referer !== null && !ownOrigins.includes(tryUrl(referer)?.origin ?? '');
}

/** Whether the user followed a link to a page; the content of a frame does not count. */
function opensPage({ method, headers, page }: AuthRequest): boolean {
  return (
    page &&
    (method === 'GET' || method === 'HEAD') &&
    headers.get('origin') === null &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    (headers.get('sec-fetch-dest') ?? 'document') === 'document'
  );
}
