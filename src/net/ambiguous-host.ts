/**
 * URL texts in which common parsers see different hosts. We send to the host that the WHATWG parser sees; a reader who
 * judged the text before us may have used another parser, so such a text is refused, whatever its host is.
 */

/** A reference that names a host: with a scheme, or beginning with two slashes of either kind. */
const NAMES_HOST = /^(?:https?:|[\\/]{2})/i;
/** Exactly two slashes, and no backslash up to the path. */
const PLAIN_AUTHORITY = /^(?:https?:)?\/\/[^\\/?#]+(?:\/|$|[?#])/i;
/** `http://a?b@c/`: a parser that ends the authority at the next slash alone sees the host c. */
const LATE_AT = /^(?:https?:)?\/\/[^/?#]+[?#][^/=&]*@/i;

export function hasAmbiguousHost(text: string): boolean {
  return NAMES_HOST.test(text) && (!PLAIN_AUTHORITY.test(text) || LATE_AT.test(text));
}
