/**
 * Requests that a page of another origin caused. Where the browser needs no credential from the page (a cookie, or no
 * authentication at all), such a request may open our pages and nothing else: a GET of `/r/…` or `/api/probe` acts.
 * Browsers identify the origin of a request by `Origin`, `Sec-Fetch-Site` and `Referer`; another port of the same host
 * is `same-site` and as foreign as any other.
 */
import { tryUrl } from '../../try-url.js';
import type { AuthRequest } from './authenticator.js';

const NO_PAGES = ['/api/', '/v1/', '/r/', '/metrics'];

export function isForeignPage(request: AuthRequest, ownOrigins: readonly string[]): boolean {
  return isForeign(request.headers, ownOrigins) && !opensPage(request);
}

function isForeign(headers: AuthRequest['headers'], ownOrigins: readonly string[]): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return !ownOrigins.includes(origin);
  const site = headers.get('sec-fetch-site');
  // `none` means that the user caused it: a typed address, a bookmark.
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  const referer = headers.get('referer');
  return referer !== null && !ownOrigins.includes(tryUrl(referer)?.origin ?? '');
}

/** A link that the user followed, not the content of a frame. */
function opensPage({ method, headers, path }: AuthRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    headers.get('origin') === null &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    (headers.get('sec-fetch-dest') ?? 'document') === 'document' &&
    !NO_PAGES.some((prefix) => path.startsWith(prefix))
  );
}
