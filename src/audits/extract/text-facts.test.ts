import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords, figuresOf, SHORT_WORDS, simhashDistance } from './text-facts.js';

/** A reference implementation: words as strings, one counter per bit. */
function simhashByDefinition(words: readonly string[]): string {
  const hashes = words.map((word) =>
    [...word].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5),
  );
  const shingles =
    hashes.length < 3
      ? hashes.length === 0
        ? []
        : [hashes.reduce((sum, hash) => Math.imul(sum + hash, 31), 0)]
      : hashes
          .slice(2)
          .map((hash, at) => Math.imul(Math.imul(hashes[at] ?? 0, 31) + (hashes[at + 1] ?? 0), 31) + hash);
  return [0, 0x5bd1e995].map((salt) => half(shingles.map((shingle) => mixed(shingle ^ salt)))).join('');
}

function half(votes: readonly number[]): string {
  let bits = 0;
  for (let bit = 0; bit < 32; bit += 1) {
    const set = votes.filter((vote) => (vote >>> bit) & 1).length;
    if (set * 2 > votes.length) bits |= 1 << bit;
  }
  return (bits >>> 0).toString(16).padStart(8, '0');
}

function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);

describe('the figures of a text', () => {
  it('have the same simhash as the reference implementation', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 400 }), (words) => {
        const { simhash, words: counted, pairs } = figuresOf(words.join(' '));
        expect(counted).toBe(words.length);
        expect(simhash).toBe(simhashByDefinition(words));
        expect(pairs === null).toBe(words.length >= SHORT_WORDS);
      }),
      { numRuns: 300 },
    );
  });

  it('have each pair of adjacent words once, in ascending order, if the text is short', () => {
    const { pairs } = figuresOf('one two one two three');
    expect(pairs).toHaveLength(3);
    expect(pairs).toEqual([...(pairs ?? [])].sort((a, b) => a - b));
    expect(figuresOf('one').pairs).toEqual([]);
    expect(figuresOf('').pairs).toEqual([]);
  });

  it('do not depend on a text that was read earlier', () => {
    const alone = figuresOf('a short text of a few words');
    figuresOf('other '.repeat(20_000));
    expect(figuresOf('a short text of a few words')).toEqual(alone);
  });

  it('are close for texts that differ in one word', () => {
    const text = Array.from({ length: 500 }, (_, at) => `word${at}`);
    const other = text.with(250, 'another');
    const distance = simhashDistance(figuresOf(text.join(' ')).simhash, figuresOf(other.join(' ')).simhash);
    expect(distance).toBeLessThanOrEqual(3);
  });
});

it('counts words like people do', () => {
  expect(countWords("it's a well-known e.g. 3.5, isn't it")).toBe(7);
  expect(countWords('漢字かな')).toBe(2);
  expect(countWords(' … ')).toBe(0);
});
