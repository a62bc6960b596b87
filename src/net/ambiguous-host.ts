/**
 * Detects URLs in which common parsers see different hosts. We connect to the host that the WHATWG parser sees, but
 * another component may have checked the URL with a different parser. Such URLs are refused, whatever their host is.
 */

/** A reference that names a host: it has a scheme, or starts with two slashes of either kind. */
const NAMES_HOST = /^(?:https?:|[\\/]{2})/i;
/** Exactly two slashes, and no backslash up to the path. */
const PLAIN_AUTHORITY = /^(?:https?:)?\/\/[^\\/?#]+(?:\/|$|[?#])/i;
/** `http://a?b@c/`: a parser that ends the authority only at the next slash sees the host c. */
const LATE_AT = /^(?:https?:)?\/\/[^/?#]+[?#][^/=&]*@/i;

export function hasAmbiguousHost(text: string): boolean {
  return NAMES_HOST.test(text) && (!PLAIN_AUTHORITY.test(text) || LATE_AT.test(text));
}
