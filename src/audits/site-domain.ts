/**
 * Which site a host belongs to: its registrable domain by the public suffix list, private suffixes included
 * (`me.github.io` is a site of its own). An address, a bare suffix or a name like `localhost` has none and is
 * a site with its port.
 */
import { getDomain } from 'tldts';

const CACHE_MAX = 10_000;
const cache = new Map<string, string>();

/** `host` as in a URL, port included where it is not the default. */
export function siteDomain(url: URL): string {
  const known = cache.get(url.host);
  if (known !== undefined) return known;
  const domain = getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.host;
  if (cache.size >= CACHE_MAX) cache.clear();
  cache.set(url.host, domain);
  return domain;
}
