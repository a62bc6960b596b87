/**
 * Patterns of paths: literal text in which `*` stands for any text. A pattern applies to the path as the upstream may
 * interpret it: a path that hides a slash or a dot segment behind escapes, at any depth, or behind invalid UTF-8,
 * matches nothing but a pattern that allows every path.
 */

import { matchesLiterals } from '../match-literals.js';

/** Undefined if no request can match. */
export function compilePathPattern(path: string): ((given: string) => boolean) | undefined {
  if (path === '' || path === '/*') return () => true;
  const open = path.endsWith('/*');
  // Resolved against a base, a path that begins with two slashes would name a host.
  const written = new URL(`http://x${open ? path.slice(0, -2) : path}`).pathname;
  if (!written.includes('*') && hidesSegments(written)) return undefined;
  // `/v1/*` matches `/v1` itself and everything below; a slash appended to the given path covers both.
  const literals = (open ? `${written.replace(/\/$/, '')}/*` : written).split('*');
  return (given) => matchesLiterals(literals, open ? `${given}/` : given) && !hidesSegments(given);
}

const DECODINGS_MAX = 4;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a server could find slashes or dot segments in this path that are not visible in it. */
function hidesSegments(path: string): boolean {
  // Some servers drop parameters, which turns these into dot segments; malformed escapes are as unpredictable.
  if (/\/\.{1,2};|%(?![0-9a-f]{2})/i.test(path)) return true;
  let text = path;
  for (let round = 1; round <= DECODINGS_MAX; round++) {
    if (/%(?:2f|5c|u)/i.test(text)) return true;
    const decoded = unescapeOnce(text);
    if (decoded === undefined) return true;
    if (decoded === text) return false;
    // Some servers treat full-width and other look-alike forms as the plain characters.
    const plain = decoded.normalize('NFKC');
    if (slashes(plain) > slashes(text) || CONTROL.test(plain) || DOT_SEGMENT.test(plain)) return true;
    text = decoded;
  }
  // Escapes nested this deeply are never legitimate.
  return true;
}

const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:;[^/]*)?(?:\/|$)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this searches for control characters in a path
const CONTROL = /[\u0000-\u001f\u007f]/;

function slashes(text: string): number {
  return text.replace(/[^/\\]/g, '').length;
}

/** Undefined if the escapes are not valid UTF-8, such as overlong forms of slashes and dots. */
function unescapeOnce(text: string): string | undefined {
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
      strictUtf8.decode(Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16))),
    );
  } catch {
    return undefined;
  }
}
