/**
 * Masks a value that follows a credential's name in a list: header tuples, Node's raw header arrays, Python's tuples
 * and argument vectors in JSON or `inspect` output. A plain list of names is left alone.
 */
import { isSpace, isWord } from './char-classes.js';
import { isSecretKey } from './classify-key.js';
import { keyBefore } from './key-before.js';
import type { Mask } from './mask.js';
import { maskLeaves } from './nested-leaves.js';
import { pastPrefix, quoteAt, quoteBefore, quotedValue } from './quotes.js';
import { HEADER_NAMES } from './sensitive-names.js';

/**
 * Whether a string next to a credential's name is another name and not its value. Names are words: a string with a
 * digit could be a secret that happens to contain `Pw`, so it is hidden.
 */
export function isOtherName(value: string): boolean {
  if (value.length > 64 || !/^[A-Za-z_.-]+$/.test(value)) return false;
  return HEADER_NAMES.has(value.toLowerCase()) || isSecretKey(value);
}

/** Whether the string after this name is its value even in a long list. */
export function namesValueInList(name: string): boolean {
  return isSecretKey(name) && (/[a-z]-[a-z]|^--/i.test(name) || /^(?:authorization|cookie)$/i.test(name));
}

const SPACES_MAX = 64;
const LIST_END = /\s{0,16}(?:,\s{0,16})?[\])]/y;

export function maskTuple(text: string, comma: number, mask: Mask): number {
  const end = pastSpaces(text, comma - 1, -1) + 1;
  if (quoteBefore(text, end) === undefined) return comma;
  const key = keyBefore(text, end);
  if (key?.quote === undefined || !isSecretKey(key.name)) return comma;
  const start = pastPrefix(text, pastSpaces(text, comma + 1, 1));
  const before = openerBefore(text, key.start - key.quote.literal.length);
  const opensList = text.charAt(before) === '[';
  if (text.charAt(start) === '[' && opensList) {
    return maskLeaves(text, start, { mask, quote: key.quote.literal, keepsNumbers: false });
  }
  const quote = quoteAt(text, start);
  if (quote === undefined || !'[(,'.includes(text.charAt(before))) return comma;
  const value = quotedValue(text, start, quote);
  const content = text.slice(value.start, value.end);
  if (text.charAt(value.next) === ':' || isOtherName(content) || content.startsWith('-')) return comma;
  // A call may take a name and a sentence as arguments: `label("password", "Your password")`.
  const opensPair = opensList || (text.charAt(before) === '(' && !isWord(text.charCodeAt(before - 1)));
  LIST_END.lastIndex = value.next;
  if (!(opensPair && LIST_END.test(text)) && !namesValueInList(key.name)) return comma;
  mask.add(value.start, value.end);
  // The comma of the next pair may follow directly.
  return value.next;
}

/** The first character before a quoted name that is neither a space nor the prefix of its string. */
function openerBefore(text: string, quote: number): number {
  return pastSpaces(text, pastPrefix(text, quote - 1) === quote ? quote - 2 : quote - 1, -1);
}

function pastSpaces(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (Math.abs(at - from) < SPACES_MAX && isSpace(text.charCodeAt(at))) at += step;
  return at;
}
