/**
 * Masks an object or a list under a credential's name, in text: hides every leaf and keeps the keys and brackets, so
 * that JSON stays JSON. Lenient: accepts `inspect` output, YAML flow style and truncated JSON. An object that is never
 * closed extends to the end of the text.
 */
import { isSpace } from './char-classes.js';
import { isHarmlessLiteral, isNumber } from './harmless-values.js';
import { MASK, type Mask } from './mask.js';
import { quoteAt, quotedValue } from './quotes.js';

/** The abbreviations of `inspect`, which contain nothing to hide. */
const ABBREVIATION = /\[(?:Object|Array|Circular|Function|Getter|Setter|Getter\/Setter)\b[^\]\n]{0,64}\]/y;

const ESCAPED_BREAK = /\\{1,32}[nrt](?=[\s"'{}[\],\\]|$)/y;

interface Walk {
  readonly text: string;
  readonly mask: Mask;
  /** Put around the replacement of a number, so that JSON stays valid. */
  readonly quote: string;
  /** Set under a plural name, where a number is a count. */
  readonly keepsNumbers: boolean;
}

export function maskLeaves(text: string, start: number, setting: Omit<Walk, 'text'>): number {
  const walk: Walk = { text, ...setting };
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '{' || character === '[') {
      const past = pastWhole(text, at);
      if (past === at) depth += 1;
      at = past === at ? at + 1 : past;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      at += 1;
    } else {
      at = pastToken(walk, at);
    }
    if (depth <= 0) return at;
  }
  return at;
}

function pastWhole(text: string, at: number): number {
  if (text.startsWith(MASK, at)) return at + MASK.length;
  ABBREVIATION.lastIndex = at;
  return ABBREVIATION.test(text) ? ABBREVIATION.lastIndex : at;
}

function pastToken(walk: Walk, at: number): number {
  const { text, mask } = walk;
  if (isSpace(text.charCodeAt(at)) || ',:='.includes(text.charAt(at))) return at + 1;
  ESCAPED_BREAK.lastIndex = at;
  if (ESCAPED_BREAK.test(text)) return ESCAPED_BREAK.lastIndex;
  const quote = quoteAt(text, at);
  if (quote !== undefined) {
    const value = quotedValue(text, at, quote);
    if (!isKey(text, value.next)) mask.add(value.start, value.end);
    return value.next;
  }
  let end = at + 1;
  // Behind the end, the character is empty, which every text includes.
  while (!isSpace(text.charCodeAt(end)) && !',:={}[]"'.includes(text.charAt(end))) end += 1;
  const word = text.slice(at, end);
  const kept = isKey(text, end) || isHarmlessLiteral(word) || (walk.keepsNumbers && isNumber(word));
  if (!kept) mask.add(at, end, walk.quote + MASK + walk.quote);
  return end;
}

function isKey(text: string, next: number): boolean {
  let at = next;
  while (at - next < 64 && isSpace(text.charCodeAt(at))) at += 1;
  return text.charAt(at) === ':' || text.charAt(at) === '=';
}
