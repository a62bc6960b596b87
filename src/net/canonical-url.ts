/**
 * The canonical form of a URL, used for keys and comparisons: scheme and host in lower case, no default port, dot
 * segments resolved, path escapes normalized, no trailing slash except the root's, the query kept byte for byte, no
 * fragment, IPv6 in brackets. URLs that differ in their query never share a canonical form.
 */
import { trimEnd } from '../trim-end.js';
import { normalEscapes } from './normal-escapes.js';
import { parseUrl } from './parse-url.js';
import { refusalError } from './refusal.js';

export function canonicalUrl(text: string): string {
  const parsed = parseUrl(text);
  if (!parsed.ok) throw refusalError(parsed.refusal);
  const { protocol, host, pathname, search } = parsed.url;
  // `http://a/?` and `http://a/` are the same resource to every server; `search` is empty for both.
  return `${protocol}//${host}${trimEnd(normalEscapes(pathname), '/') || '/'}${search}`;
}
