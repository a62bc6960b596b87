/**
 * The spelling under which the crawl knows a URL: no fragment, percent-escapes in one form. The trailing
 * slash and the query stay: servers tell them apart, and a rule asks whether they should.
 */
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

export function crawlUrl(url: URL): string {
  const { href, hash } = url;
  const plain = hash === '' && !href.endsWith('#') ? href : href.slice(0, href.indexOf('#'));
  return plain.includes('%') ? plain.replaceAll(/%[0-9a-fA-F]{2}/g, normalEscape) : plain;
}

function normalEscape(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return UNRESERVED.test(character) ? character : encoded.toUpperCase();
}

/** What a redacted URL holds where its secret was; such a URL is shown, never asked for. */
const HIDDEN = /(?:\[|%5B)REDACTED(?:\]|%5D)/i;

export function isHidden(url: string): boolean {
  return HIDDEN.test(url);
}
