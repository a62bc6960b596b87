/**
 * Character tests by code unit, for the hand-written scanners. They avoid regular expressions because one whose
 * prefix matches everywhere and whose tail runs to the end takes quadratic time.
 */
function table(characters: string): Uint8Array {
  const flags = new Uint8Array(128);
  for (const character of characters) flags[character.charCodeAt(0)] = 1;
  return flags;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const WORD = table(`${LETTERS}0123456789_-.$`);
const BASE64URL = table(`${LETTERS}0123456789_-`);

// The bound in each test matters: a typed array read beyond its end, or at NaN, is many times slower.

export const BACKSLASH = 92;
const NEWLINE = 10;
const RETURN = 13;

export function anyOf(characters: string): (code: number) => boolean {
  const flags = table(characters);
  return (code) => code < 128 && flags[code] === 1;
}

/** The characters of a key or parameter name. */
export const isWord = (code: number): boolean => code < 128 && WORD[code] === 1;
export const isBase64Url = (code: number): boolean => code < 128 && BASE64URL[code] === 1;
export const isBlank = (code: number): boolean => code === 32 || code === 9;
export const isLineEnd = (code: number): boolean => code === NEWLINE || code === RETURN;
export const isSpace = (code: number): boolean => code <= 32 || code === 160;

export function skipBlanks(text: string, from: number, max = 64): number {
  let at = from;
  while (at - from < max && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** The end of the run of characters that `matches` accepts. */
export function skipRun(text: string, from: number, matches: (code: number) => boolean): number {
  let at = from;
  while (at < text.length && matches(text.charCodeAt(at))) at += 1;
  return at;
}

export function lineEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1;
  return at;
}

const isPairName = (code: number): boolean => isWord(code) || code === 91 || code === 93 || code === 37;

/** Whether a name and then `=` or `:` follow, as at the start of the next pair of a list. */
export function startsPair(text: string, from: number, signs: ':=' | '=' = ':='): boolean {
  let at = skipBlanks(text, from, 8);
  const start = at;
  while (at - start < 48 && isPairName(text.charCodeAt(at))) at += 1;
  if (at === start) return false;
  const sign = text.charAt(skipBlanks(text, at, 4));
  return sign !== '' && signs.includes(sign);
}
