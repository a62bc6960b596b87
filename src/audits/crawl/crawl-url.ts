/**
 * The spelling under which the crawl knows a URL: no fragment, and percent-escapes in one form. The trailing slash and
 * the query stay: servers distinguish them, and a rule checks whether they should.
 */
import { normalEscapes } from '../../net/index.js';

export function crawlUrl(url: URL): string {
  const { href, hash } = url;
  const plain = hash === '' && !href.endsWith('#') ? href : href.slice(0, href.indexOf('#'));
  return normalEscapes(plain);
}

/** The placeholder for a secret in a redacted URL; such a URL is shown but never requested. */
const HIDDEN = /(?:\[|%5B)REDACTED(?:\]|%5D)/i;

export function isHidden(url: string): boolean {
  return HIDDEN.test(url);
}
