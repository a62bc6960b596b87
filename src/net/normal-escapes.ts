/** RFC 3986 §6.2.2: an escape of a letter, a digit or one of `-._~` is that character, and others are in capitals. */
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

export function normalEscapes(text: string): string {
  return text.includes('%') ? text.replaceAll(/%[0-9a-fA-F]{2}/g, normalEscape) : text;
}

function normalEscape(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return UNRESERVED.test(character) ? character : encoded.toUpperCase();
}
