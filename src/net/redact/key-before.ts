/**
 * Reads backwards from a separator to its name: bare, in any kind of quotes, in brackets (`user[password]`), after an
 * escape (`\npassword`, `%26token`, `\u0026token`) or in two words ("API key"). The distance is bounded, so a text of
 * nothing but separators still takes linear time.
 */
import { anyOf, isBlank, isWord } from './char-classes.js';
import { classifyKey, classifyPath, type KeyKind } from './classify-key.js';
import { type Quote, quoteBefore } from './quotes.js';

export interface KeyBefore {
  readonly name: string;
  readonly kind: KeyKind;
  /** Where the name itself begins. */
  readonly start: number;
  /** The quotes around the name, if any. */
  readonly quote: Quote | undefined;
  /** A quote that opens just before an unquoted name: `-H "X-Api-Key: …"`. */
  readonly opened: Quote | undefined;
  /** The name belongs to a query or a form. */
  readonly inQuery: boolean;
}

const NAME_MAX = 80;
const BLANKS_MAX = 32;
/** Words that count only together with the word before them: "API key", "session id". */
const SECOND_WORDS: ReadonlySet<string> = new Set(['key', 'id', 'string', 'code', 'phrase', 'keys', 'codes']);
const PARSER_WORDS = /(?:unexpected|expected|illegal)[ \t]$/i;
const ESCAPE = /^(?:u00(?:26|3f|22|27|23|3b)|[nrtbf])/i;
const PERCENT_ESCAPE = /^(?:25){0,3}[0-9a-f]{2}/i;

export function keyBefore(text: string, separator: number): KeyBefore | undefined {
  let end = separator;
  while (separator - end < BLANKS_MAX && isBlank(text.charCodeAt(end - 1))) end -= 1;
  end = beforeIndices(text, end);
  end -= closingBracket(text, end);
  const quote = quoteBefore(text, end);
  if (quote !== undefined) end -= quote.literal.length;
  let start = end;
  while (end - start < NAME_MAX && isWord(text.charCodeAt(start - 1))) start -= 1;
  if (quote !== undefined) return quotedKey(text, { start, end }, quote);
  if (start === end) return undefined;
  const { name, from, escaped } = unescapedName(text, start, end);
  const before = text.charCodeAt(from - 1);
  const kind = kindInProse(text, name, from);
  return {
    name,
    kind,
    start: from,
    quote,
    opened: kind === 'plain' ? undefined : quoteBefore(text, from),
    inQuery:
      escaped || from === 0 || before === 63 || before === 38 || before === 35 || afterEntity(text, from),
  };
}

const afterEntity = (text: string, at: number): boolean =>
  text.charCodeAt(at - 1) === 59 && /&(?:amp|#38|#x26);$/i.test(text.slice(Math.max(0, at - 6), at));

const LIST_INDEX = /(?:\[\d{0,20}\]|%5b\d{0,20}%5d)$/i;
const INDICES_MAX = 4;

/** `password[]` and `password[0][1]` are names of lists in a form. */
function beforeIndices(text: string, end: number): number {
  let at = end;
  for (let count = 0; count < INDICES_MAX && closingBracket(text, at) > 0; count += 1) {
    at -= LIST_INDEX.exec(text.slice(Math.max(0, at - 26), at))?.[0].length ?? 0;
  }
  return at;
}

const PATH_MAX = 120;
/** `[`, the end of `%5B`, or a quote after one of them. */
const opensForm = anyOf('[Bb"\'`');
const PATH_MARKS = '[]"\'`%';

/** `user[password][first]`: in a form or in code, everything nested under a credential's name is hidden. */
export function keyInForm(text: string, key: KeyBefore): KeyBefore {
  if (!opensForm(text.charCodeAt(key.start - 1))) return key;
  let start = key.start;
  while (
    key.start - start < PATH_MAX &&
    start > 0 &&
    (isWord(text.charCodeAt(start - 1)) || PATH_MARKS.includes(text.charAt(start - 1)))
  ) {
    start -= 1;
  }
  // `[type=password][name=…]` is a CSS selector.
  if (text.charAt(start - 1) === '=') return key;
  const outer = text.slice(start, key.start);
  if (!/(?:\[|%5b)["'`]?$/i.test(outer)) return key;
  const names = outer.split(/[[\]"'`]|%5[bd]/i).filter((name) => !/^\d*$/.test(name));
  const kind = classifyPath([...names, key.name]);
  return kind === key.kind ? key : { ...key, kind };
}

function closingBracket(text: string, end: number): number {
  if (text.charCodeAt(end - 1) === 93) return 1;
  return text.charCodeAt(end - 3) === 37 && text.slice(end - 2, end).toLowerCase() === '5d' ? 3 : 0;
}

function quotedKey(text: string, name: { start: number; end: number }, quote: Quote): KeyBefore {
  let { start } = name;
  while (
    name.end - start < NAME_MAX &&
    (isBlank(text.charCodeAt(start - 1)) || isWord(text.charCodeAt(start - 1)))
  ) {
    start -= 1;
  }
  const raw = text.slice(start, name.end);
  const encoded =
    quote.backslashes < 0 && text.charAt(start - 1) === '%' ? PERCENT_ESCAPE.exec(raw)?.[0].length : 0;
  const from = start + (encoded ?? 0);
  const key = text.slice(from, name.end);
  return { name: key, kind: classifyKey(key), start: from, quote, opened: undefined, inQuery: false };
}

/** The name without the letters of an escape before it, unless the name is secret only with them. */
function unescapedName(
  text: string,
  start: number,
  end: number,
): { name: string; from: number; escaped: boolean } {
  const raw = text.slice(start, end);
  const before = text.charAt(start - 1);
  if (before !== '\\' && before !== '%') return { name: raw, from: start, escaped: false };
  const width = (before === '%' ? PERCENT_ESCAPE : ESCAPE).exec(raw)?.[0].length ?? 0;
  const name = raw.slice(width);
  if (width === 1 && classifyKey(name) === 'plain') return { name: raw, from: start, escaped: false };
  return { name, from: start + width, escaped: width > 1 };
}

function kindInProse(text: string, name: string, start: number): KeyKind {
  const kind = classifyKey(name);
  if (kind !== 'plain' && kind !== 'code' && kind !== 'key') {
    const parser = name === 'token' && PARSER_WORDS.test(text.slice(Math.max(0, start - 12), start));
    return parser ? 'plain' : kind;
  }
  if (!isBlank(text.charCodeAt(start - 1)) || !SECOND_WORDS.has(name.toLowerCase())) return kind;
  let first = start - 1;
  while (start - first < 4 && isBlank(text.charCodeAt(first - 1))) first -= 1;
  while (start - first < 32 && isWord(text.charCodeAt(first - 1))) first -= 1;
  const together = classifyKey(text.slice(first, start + name.length));
  return together === 'plain' ? kind : together;
}
