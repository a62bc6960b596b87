/** RFC 3986 §6.2.2: decodes escaped unreserved characters and writes all other escapes in upper case. */
const UNRESERVED = /[A-Za-z0-9._~-]/;

export function normalEscapes(text: string): string {
  return text.includes('%') ? text.replaceAll(/%[0-9a-fA-F]{2}/g, normalEscape) : text;
}

function normalEscape(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return UNRESERVED.test(character) ? character : encoded.toUpperCase();
}
