/** Reads the URLs of a `srcset` attribute (HTML §4.8.4.2.1), without their descriptors. */
import { trimEnd } from './trim-end.js';

const CANDIDATES_MAX = 50;

export function srcsetUrls(srcset: string): string[] {
  const urls: string[] = [];
  let rest = srcset;
  for (let found = 0; found < CANDIDATES_MAX; found += 1) {
    const [, url = ''] = /^[\s,]*([^\s]+)/.exec(rest) ?? [];
    if (url === '') break;
    rest = rest.slice(rest.indexOf(url) + url.length);
    const bare = trimEnd(url, ',');
    if (bare !== '') urls.push(bare);
    if (bare === url) {
      const comma = rest.indexOf(',');
      if (comma < 0) break;
      rest = rest.slice(comma + 1);
    }
  }
  return urls;
}
