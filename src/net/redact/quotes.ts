/**
 * Quotes in every form found in logs: plain, after any number of backslashes (JSON inside JSON), as HTML entities,
 * percent-encoded, as `\u0022`, doubled (JSON inside CSV) and tripled (Python, TOML). Finds the end of a quoted value.
 * A value that is never closed (a truncated line) ends with its line, so that none of it remains visible.
 */
import { closes } from './bare-value.js';
import { BACKSLASH, lineEnd } from './char-classes.js';

export interface Quote {
  /** The quote as written, the same before and after the value. */
  readonly literal: string;
  /** Backslashes before a plain quote character; -1 for an encoded quote, and for two or three in a row. */
  readonly backslashes: number;
}

export interface QuotedValue {
  readonly start: number;
  readonly end: number;
  /** The position after the closing quote. */
  readonly next: number;
  readonly quote: Quote;
}

const BACKSLASHES_MAX = 64;
const ENCODED = /&(?:quot|apos|#34|#39|#x22|#x27);|%(?:25){0,3}2[27]|\\{1,8}u002[27]/iy;
const ENCODED_BEFORE = /(?:&(?:quot|apos|#34|#39|#x22|#x27);|%(?:25){0,3}2[27]|\\{1,8}u002[27])$/i;

const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96;

const STRING_PREFIXES = 'bBuUrRfFL$@';

/** The position after the prefix of a string: Python's b'…', C's L"…", the shell's $'…'. */
export function pastPrefix(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  return (next === 34 || next === 39) && STRING_PREFIXES.includes(text.charAt(at)) ? at + 1 : at;
}

/** The quote that begins at `at`, backslashes included. */
export function quoteAt(text: string, at: number): Quote | undefined {
  const first = text.charCodeAt(at);
  if (isQuote(first)) return severalAt(text, at) ?? { literal: text.charAt(at), backslashes: 0 };
  if (first !== BACKSLASH && first !== 38 && first !== 37) return undefined;
  ENCODED.lastIndex = at;
  const encoded = ENCODED.exec(text)?.[0];
  if (encoded !== undefined) return { literal: encoded, backslashes: -1 };
  let end = at;
  while (end - at < BACKSLASHES_MAX && text.charCodeAt(end) === BACKSLASH) end += 1;
  if (!isQuote(text.charCodeAt(end))) return undefined;
  return { literal: text.slice(at, end + 1), backslashes: end - at };
}

/** Three quotes, or two around something on the same line; otherwise two quotes are an empty string. */
const SEVERAL = /("{3}|'{3})(?=[^"')\]},;:])|(""|'')(?!\/>)(?=[^\s"'.)\]},;:<>][^"'\n]*\2)/y;

function severalAt(text: string, at: number): Quote | undefined {
  SEVERAL.lastIndex = at;
  const literal = SEVERAL.exec(text)?.[0];
  return literal === undefined ? undefined : { literal, backslashes: -1 };
}

/** The quote whose last character is just before `end`. */
export function quoteBefore(text: string, end: number): Quote | undefined {
  const last = text.charCodeAt(end - 1);
  if (isQuote(last)) {
    const several = /("{2,3}|'{2,3})$/.exec(text.slice(Math.max(0, end - 3), end))?.[0];
    if (several !== undefined) return { literal: several, backslashes: -1 };
    let start = end - 1;
    while (end - start <= BACKSLASHES_MAX && text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
    return { literal: text.slice(start, end), backslashes: end - 1 - start };
  }
  if (last !== 59 && last !== 50 && last !== 55) return undefined;
  const encoded = ENCODED_BEFORE.exec(text.slice(Math.max(0, end - 16), end))?.[0];
  return encoded === undefined ? undefined : { literal: encoded, backslashes: -1 };
}

export function quotedValue(text: string, open: number, quote: Quote): QuotedValue {
  const start = open + quote.literal.length;
  const found = quote.backslashes < 0 ? encodedClose(text, start, quote) : plainClose(text, start, quote);
  // Three quotes are closed by nothing else.
  const isTriple = /["']{3}/.test(quote.literal);
  if (found !== undefined && (isTriple || !swallowsNextPair(text, start, found.end)))
    return { start, quote, ...found };
  const end = lineEnd(text, start);
  return { start, end, next: end, quote };
}

interface Close {
  readonly end: number;
  readonly next: number;
}

function encodedClose(text: string, start: number, { literal }: Quote): Close | undefined {
  let at = text.indexOf(literal, start);
  while (at >= 0 && text.slice(Math.max(start, at - 3), at).toLowerCase() === '%5c')
    at = text.indexOf(literal, at + literal.length);
  return at < 0 ? undefined : { end: at, next: at + literal.length };
}

/**
 * Each level of JSON doubles the backslashes and adds one, so with k of them before the opening quote a
 * quote inside the value has 2k+1 (modulo 2k+2); any other number closes this string or one around it.
 */
function plainClose(text: string, start: number, { literal, backslashes }: Quote): Close | undefined {
  const character = literal.slice(-1);
  const period = 2 * backslashes + 2;
  let at = text.indexOf(character, start);
  while (at >= start) {
    let run = at;
    while (text.charCodeAt(run - 1) === BACKSLASH) run -= 1;
    const escaped = (at - run) % period === period - 1;
    // `"a\"",` ends with an escaped quote; `"a\""b"` doubles one after a backslash.
    const isDouble = backslashes === 0 && at > start && text.charAt(at + 1) === character;
    const doubled = isDouble && !(escaped && closes(text, at + 2));
    if (!escaped && !doubled) return { end: at - Math.min(backslashes, at - run), next: at + 1 };
    at = text.indexOf(character, doubled ? at + 2 : at + 1);
  }
  return undefined;
}

/** A closing quote on a later line, after what looks like the next key, belongs to that key. */
function swallowsNextPair(text: string, start: number, end: number): boolean {
  return /\n[ \t]{0,32}["']?[\w.-]{1,64}["']?[ \t]{0,8}[:=]/.test(text.slice(start, end));
}
