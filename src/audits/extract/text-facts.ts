/**
 * Figures of visible text: words, simhash, pairs. Pure, linear, the same on every engine. Words are found by one
 * scan over character codes and hashed as they pass: splitting a page into strings cost as much as parsing it.
 */

const OTHER = 1;
const LETTER = 2;
/** A letter of a script that is written without blanks between words. */
const UNSPACED = 3;

const IS_LETTER = /[\p{L}\p{N}\p{M}]/u;
const IS_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** What each UTF-16 unit is, filled in as units are met; 0 is not yet known. */
const kinds = new Uint8Array(65_536);

function kindOf(unit: number): number {
  return kinds[unit] || learn(unit);
}

function learn(unit: number): number {
  const character = String.fromCharCode(unit);
  // Halves of pairs: letters beyond the basic plane count by their first half, and never part a word.
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

/** Calls `onWord` with a hash for every word; answers how many letters of unspaced scripts there are. */
function scanWords(text: string, onWord: (hash: number) => void): number {
  let unspaced = 0;
  let hash = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const kind = kindOf(unit);
    if (kind === LETTER || (inWord && joins(unit) && kindOf(text.charCodeAt(at + 1)) === LETTER)) {
      hash = Math.imul((inWord ? hash : FNV_SEED) ^ unit, FNV_PRIME);
      inWord = true;
      continue;
    }
    if (inWord) onWord(hash);
    inWord = false;
    if (kind !== UNSPACED) continue;
    unspaced += 1;
    onWord(Math.imul(FNV_SEED ^ unit, FNV_PRIME));
  }
  if (inWord) onWord(hash);
  return unspaced;
}

/** Words as people count them; a letter of an unspaced script counts half. */
export function countWords(text: string): number {
  let words = 0;
  const unspaced = scanWords(text, () => {
    words += 1;
  });
  return asCounted(words, unspaced);
}

function asCounted(words: number, unspaced: number): number {
  return words - unspaced + Math.ceil(unspaced / 2);
}

/** Only what is not a single blank already is replaced: most of a text is left alone. */
export function foldBlanks(text: string): string {
  return text.replaceAll(/\s{2,}|[^\S ]/g, ' ').trim();
}

/** A text of fewer words is short: one other word moves more bits of its simhash than tell copies from others. */
export const SHORT_WORDS = 300;

export interface TextFigures {
  readonly words: number;
  /** 64 bits over shingles of three words, as 16 hex digits; all zero for no words. */
  readonly simhash: string;
  /** Of a short text: a hash of every two words that follow each other, each once, in ascending order. */
  readonly pairs: readonly number[] | null;
}

export function figuresOf(text: string): TextFigures {
  const high = new BitVotes();
  const low = new BitVotes();
  const pairs = new Set<number>();
  let [before, last, words] = [0, 0, 0];
  const vote = (shingle: number) => {
    high.add(mixed(shingle));
    low.add(mixed(shingle ^ 0x5bd1e995));
  };
  const unspaced = scanWords(text.toLowerCase(), (hash) => {
    words += 1;
    if (words > 2) vote(Math.imul(Math.imul(before, 31) + last, 31) + hash);
    if (words > 1 && words < SHORT_WORDS) pairs.add(mixed(Math.imul(last, 31) + hash) >>> 0);
    before = last;
    last = hash;
  });
  // A text of one or two words is one shingle.
  if (words === 1 || words === 2) vote(Math.imul(Math.imul(before, 31) + last, 31));
  return {
    words: asCounted(words, unspaced),
    simhash: high.majority() + low.majority(),
    pairs: words < SHORT_WORDS ? [...pairs].sort((a, b) => a - b) : null,
  };
}

/** A final mix, so that every bit of a shingle reaches every bit of its vote. */
function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/**
 * Thirty-two counters at once, one bit of each in every plane: adding a hash ripples a carry, which mostly ends
 * at the second plane, where thirty-two separate counters would take thirty-two steps.
 */
class BitVotes {
  readonly #planes = new Int32Array(24);
  #count = 0;

  add(hash: number): void {
    this.#count += 1;
    let carry = hash;
    for (let plane = 0; carry !== 0 && plane < 24; plane += 1) {
      const held = this.#planes[plane] ?? 0;
      this.#planes[plane] = held ^ carry;
      carry &= held;
    }
  }

  /** Eight hex digits: a bit is set where more than half of all votes set it. */
  majority(): string {
    let bits = 0;
    const planes = 32 - Math.clz32(this.#count);
    for (let bit = 0; bit < 32; bit += 1) {
      let votes = 0;
      for (let plane = 0; plane < planes; plane += 1)
        votes += (((this.#planes[plane] ?? 0) >>> bit) & 1) * 2 ** plane;
      if (votes * 2 > this.#count) bits |= 1 << bit;
    }
    return (bits >>> 0).toString(16).padStart(8, '0');
  }
}

/** Bits that differ, 0 to 64. */
export function simhashDistance(left: string, right: string): number {
  return [0, 8].reduce((sum, at) => sum + bitsSet(half(left, at) ^ half(right, at)), 0);
}

/** The share of what two ascending lists have in common, 0 to 1. */
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
