/**
 * The site that a host belongs to: its registrable domain by the public suffix list, including private suffixes
 * (`me.github.io` is its own site). An address, a bare suffix or a name like `localhost` has none, so its host with the
 * port is the site.
 */
import { getDomain } from 'tldts';

const CACHE_MAX = 10_000;
const cache = new Map<string, string>();

export function siteDomain(url: URL): string {
  const known = cache.get(url.host);
  if (known !== undefined) return known;
  const domain = getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.host;
  if (cache.size >= CACHE_MAX) cache.clear();
  cache.set(url.host, domain);
  return domain;
}
