/**
 * Computes figures of visible text: word count, simhash and word pairs. Pure, linear, and the same on every engine.
 * Words are found and hashed in one scan over character codes, because splitting a page into strings took as long as
 * parsing it.
 */

const OTHER = 1;
const LETTER = 2;
/** A letter of a script without blanks between words. */
const UNSPACED = 3;

const IS_LETTER = /[\p{L}\p{N}\p{M}]/u;
const IS_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The kind of each UTF-16 unit, filled in on demand; 0 means not yet known. */
const kinds = new Uint8Array(65_536);

function kindOf(unit: number): number {
  return kinds[unit] || learn(unit);
}

function learn(unit: number): number {
  const character = String.fromCharCode(unit);
  // Surrogates: letters beyond the basic plane count by their first half, and never split a word.
  const surrogate = unit >= 0xd800 && unit <= 0xdfff;
  const kind = IS_UNSPACED.test(character)
    ? UNSPACED
    : surrogate || IS_LETTER.test(character)
      ? LETTER
      : OTHER;
  kinds[unit] = kind;
  return kind;
}

/** `'`, `’`, `.` and `-` inside a word belong to it. */
function joins(unit: number): boolean {
  return unit === 0x27 || unit === 0x2019 || unit === 0x2e || unit === 0x2d;
}

const FNV_SEED = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Hashes of the words of the last scanned text, in order; grows with the longest text. */
let hashes = new Int32Array(16_384);

interface Scanned {
  readonly words: number;
  /** Letters of unspaced scripts, each counted as a word. */
  readonly unspaced: number;
}

/** Fills `hashes`. There is no call and no object per word, because a page has thousands. */
function scanWords(text: string): Scanned {
  // Even a text of one-letter words has no more words than characters.
  if (hashes.length < text.length) hashes = new Int32Array(text.length);
  let [words, unspaced, hash] = [0, 0, 0];
  let inWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const kind = kindOf(unit);
    if (kind === LETTER || (inWord && joins(unit) && kindOf(text.charCodeAt(at + 1)) === LETTER)) {
      hash = Math.imul((inWord ? hash : FNV_SEED) ^ unit, FNV_PRIME);
      inWord = true;
      continue;
    }
    if (inWord) hashes[words++] = hash;
    inWord = false;
    if (kind !== UNSPACED) continue;
    unspaced += 1;
    hashes[words++] = Math.imul(FNV_SEED ^ unit, FNV_PRIME);
  }
  if (inWord) hashes[words++] = hash;
  return { words, unspaced };
}

/** Words as people count them; a letter of an unspaced script counts as half a word. */
export function countWords(text: string): number {
  const { words, unspaced } = scanWords(text);
  return asCounted(words, unspaced);
}

function asCounted(words: number, unspaced: number): number {
  return words - unspaced + Math.ceil(unspaced / 2);
}

/** Replaces only what is not already a single blank, which leaves most of the text alone. */
export function foldBlanks(text: string): string {
  return text.replaceAll(/\s{2,}|[^\S ]/g, ' ').trim();
}

/** Below this, one changed word moves more bits of the simhash than separate copies from different texts. */
export const SHORT_WORDS = 300;

export interface TextFigures {
  readonly words: number;
  /** 64 bits over shingles of three words, as 16 hex digits; all zero for no words. */
  readonly simhash: string;
  /** For a short text: a hash of each pair of adjacent words, once, in ascending order. */
  readonly pairs: readonly number[] | null;
}

export function figuresOf(text: string): TextFigures {
  const { words, unspaced } = scanWords(text.toLowerCase());
  const found = hashes.subarray(0, words);
  // Before the simhash, which overwrites the words.
  const pairs = words < SHORT_WORDS ? pairsOf(found) : null;
  return { words: asCounted(words, unspaced), simhash: simhashOf(found), pairs };
}

function pairsOf(words: Int32Array): number[] {
  const pairs = new Set<number>();
  for (let at = 1; at < words.length; at += 1) {
    pairs.add(mixed(Math.imul(words[at - 1] ?? 0, 31) + (words[at] ?? 0)) >>> 0);
  }
  return [...pairs].sort((a, b) => a - b);
}

function simhashOf(words: Int32Array): string {
  const shingles = shinglesOf(words);
  return majority(shingles, 0) + majority(shingles, 0x5bd1e995);
}

/** Overwrites the words; one or two words are one shingle. */
function shinglesOf(words: Int32Array): Int32Array {
  const [first = 0, second] = words;
  if (words.length === 0) return words;
  if (words.length < 3) {
    words[0] = second === undefined ? Math.imul(first, 31) : Math.imul(Math.imul(first, 31) + second, 31);
    return words.subarray(0, 1);
  }
  for (let at = 2; at < words.length; at += 1) {
    const [before = 0, last = 0] = [words[at - 2], words[at - 1]];
    words[at - 2] = Math.imul(Math.imul(before, 31) + last, 31) + (words[at] ?? 0);
  }
  return words.subarray(0, words.length - 2);
}

/** A final mix, so that every bit of a shingle reaches every bit of its vote. */
function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

const PLANES = 24;

/**
 * Eight hex digits: a bit is set if more than half of all votes set it. Counts 32 bits at once: each plane has one bit
 * of every counter. Four votes are added before a carry ripples up the planes.
 */
function majority(shingles: Int32Array, salt: number): string {
  const planes = new Int32Array(PLANES);
  let [ones, twos] = [0, 0];
  const fours = shingles.length - (shingles.length % 4);
  for (let at = 0; at < fours; at += 4) {
    const a = mixed((shingles[at] ?? 0) ^ salt);
    const b = mixed((shingles[at + 1] ?? 0) ^ salt);
    const c = mixed((shingles[at + 2] ?? 0) ^ salt);
    const d = mixed((shingles[at + 3] ?? 0) ^ salt);
    const carryAb = carried(ones, a, b);
    ones ^= a ^ b;
    const carryCd = carried(ones, c, d);
    ones ^= c ^ d;
    ripple(planes, 2, carried(twos, carryAb, carryCd));
    twos ^= carryAb ^ carryCd;
  }
  planes[0] = ones;
  planes[1] = twos;
  for (let at = fours; at < shingles.length; at += 1) ripple(planes, 0, mixed((shingles[at] ?? 0) ^ salt));
  return (above(planes, shingles.length >> 1) >>> 0).toString(16).padStart(8, '0');
}

/** The bits that at least two of three have. */
function carried(a: number, b: number, c: number): number {
  return (a & b) | ((a ^ b) & c);
}

function ripple(planes: Int32Array, from: number, bits: number): void {
  let carry = bits;
  for (let plane = from; carry !== 0 && plane < PLANES; plane += 1) {
    const held = planes[plane] ?? 0;
    planes[plane] = held ^ carry;
    carry &= held;
  }
}

/** The bits whose counter is above a threshold, compared from the highest plane down. */
function above(planes: Int32Array, bound: number): number {
  let [more, same] = [0, -1];
  for (let plane = PLANES - 1; plane >= 0; plane -= 1) {
    const held = planes[plane] ?? 0;
    if ((bound >>> plane) & 1) same &= held;
    else {
      more |= same & held;
      same &= ~held;
    }
  }
  return more;
}

/** Bits that differ, 0 to 64. */
export function simhashDistance(left: string, right: string): number {
  return [0, 8].reduce((sum, at) => sum + bitsSet(half(left, at) ^ half(right, at)), 0);
}

/** The share of items that two ascending lists have in common, 0 to 1. */
export function overlap(left: readonly number[], right: readonly number[]): number {
  let [at, common] = [0, 0];
  for (const each of left) {
    while (at < right.length && (right[at] ?? 0) < each) at += 1;
    if (right[at] === each) common += 1;
  }
  const all = left.length + right.length - common;
  return all === 0 ? 0 : common / all;
}

function half(hash: string, at: number): number {
  return Number.parseInt(hash.slice(at, at + 8), 16) | 0;
}

function bitsSet(value: number): number {
  let count = 0;
  for (let bits = value; bits !== 0; bits &= bits - 1) count += 1;
  return count;
}
