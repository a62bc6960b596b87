/**
 * The one spelling of a URL that keys and comparisons use: scheme and host in lower case, the default port
 * dropped, dot segments resolved, escapes of the path in one form, no trailing slash but the root's, the query kept byte for byte, the
 * fragment dropped, IPv6 in brackets. Two URLs that ask a server for different things never share a spelling.
 */
import { trimEnd } from '../trim-end.js';
import { normalEscapes } from './normal-escapes.js';
import { parseUrl } from './parse-url.js';
import { refusalError } from './refusal.js';

export function canonicalUrl(text: string): string {
  const parsed = parseUrl(text);
  if (!parsed.ok) throw refusalError(parsed.refusal);
  const { protocol, host, pathname, search } = parsed.url;
  // `http://a/?` and `http://a/` are one resource to every server; `search` is empty for both.
  return `${protocol}//${host}${trimEnd(normalEscapes(pathname), '/') || '/'}${search}`;
}
