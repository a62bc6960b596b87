/**
 * A credential's name followed by its value as two strings of a list: header tuples, Node's raw header
 * arrays and argument vectors in JSON or `inspect` output. A plain list of names is left alone.
 */
import { isSpace } from './char-classes.js';
import { isSecretKey } from './classify-key.js';
import { keyBefore } from './key-before.js';
import { MASK, type Mask } from './mask.js';
import { maskLeaves } from './nested-leaves.js';
import { quoteAt, quotedValue } from './quotes.js';
import { HEADER_NAMES } from './sensitive-names.js';

/**
 * Whether a string next to a credential's name is the name of something else and not its value. Names are words:
 * one with a digit in it may as well be a secret that happens to spell `Pw`, and is hidden.
 */
export function isOtherName(value: string): boolean {
  if (value.length > 64 || !/^[A-Za-z_.-]+$/.test(value)) return false;
  return HEADER_NAMES.has(value.toLowerCase()) || isSecretKey(value);
}

/** Whether a name alone, in a list of any length, is enough to take the next string for its value. */
export function namesValueInList(name: string): boolean {
  return isSecretKey(name) && (/[a-z]-[a-z]|^--/i.test(name) || /^(?:authorization|cookie)$/i.test(name));
}

export function maskTuple(text: string, comma: number, mask: Mask): number {
  const last = text.charCodeAt(comma - 1);
  if (last !== 34 && last !== 39) return comma + 1;
  const key = keyBefore(text, comma);
  if (key?.quote === undefined || !isSecretKey(key.name)) return comma + 1;
  let start = comma + 1;
  while (start - comma < 64 && isSpace(text.charCodeAt(start))) start += 1;
  let before = key.start - key.quote.literal.length - 1;
  while (key.start - before < 64 && isSpace(text.charCodeAt(before))) before -= 1;
  const opensList = text.charAt(before) === '[';
  if (text.charAt(start) === '[' && opensList && !text.startsWith(MASK, start)) {
    return maskLeaves(text, start, { mask, quote: key.quote.literal, keepsNumbers: false });
  }
  const quote = quoteAt(text, start);
  if (quote === undefined || !(opensList || text.charAt(before) === ',')) return comma + 1;
  const value = quotedValue(text, start, quote);
  const content = text.slice(value.start, value.end);
  const alone = opensList && /^\s{0,16}\]/.test(text.slice(value.next, value.next + 17));
  if (text.charAt(value.next) === ':') return comma + 1;
  if (!(alone || namesValueInList(key.name)) || isOtherName(content) || content.startsWith('-'))
    return comma + 1;
  mask.add(value.start, value.end);
  // Not past the closing quote: what follows it may be the comma of the next pair.
  return value.next;
}
