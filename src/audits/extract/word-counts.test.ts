/** Words, pairs and fingerprints of short texts, counted by hand. */
import { describe, expect, it } from 'vitest';
import { countWords, figuresOf, foldBlanks, overlap, SHORT_WORDS, simhashDistance } from './text-facts.js';

it.each([
  ['', 0],
  ['a', 1],
  ['one', 1],
  ['one two', 2],
  [' one ', 1],
  ["it's", 1],
  ['it’s', 1],
  ['3.5', 1],
  ['well-known', 1],
  ["'quoted'", 1],
  ['dash - dash', 2],
  ['end.', 1],
  ['end. Next', 2],
  ['a..b', 2],
  ['a/b', 2],
  ['a,b', 2],
  ['a_b', 2],
  ['.5', 1],
  ['naïve café', 2],
  ['e\u0301t\u00e9', 1],
  ['😀', 1],
  ['𝐛𝐨𝐥𝐝', 1],
  ['漢', 1],
  ['漢字', 1],
  ['漢字か', 2],
  ['漢字かな', 2],
  ['ab漢字cd', 3],
  ["ab'漢", 2],
  ['ไทย', 2],
  ['ລາວ', 2],
  ['ខ្មែរ', 3],
  ['မြန်မာ', 3],
  ['カタカナ', 2],
  ['한국어 단어', 2],
])('counts the words of %j: %i', (text, words) => {
  expect(countWords(text)).toBe(words);
  expect(figuresOf(text).words).toBe(words);
});

it.each([
  ['a  b', 'a b'],
  [' a\n\tb ', 'a b'],
  ['a\tb', 'a b'],
  ['a\u00a0b', 'a b'],
  ['a b', 'a b'],
  ['  ', ''],
])('folds the blanks of %j', (text, folded) => {
  expect(foldBlanks(text)).toBe(folded);
});

describe('figures', () => {
  it('do not depend on capitals, and do on the order of words', () => {
    expect(figuresOf('One TWO three four')).toEqual(figuresOf('one two three four'));
    expect(figuresOf('one two three four').simhash).not.toBe(figuresOf('four three two one').simhash);
    expect(figuresOf('one two').pairs).not.toEqual(figuresOf('two one').pairs);
  });

  it.each([
    ['', '0000000000000000'],
    ['…', '0000000000000000'],
  ])('of %j, a text without words, are zero', (text, simhash) => {
    expect(figuresOf(text)).toEqual({ words: 0, simhash, pairs: [] });
  });

  it('have pairs below 300 words', () => {
    expect(SHORT_WORDS).toBe(300);
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
    expect(figuresOf(words(299)).pairs).toHaveLength(298);
    expect(figuresOf(words(300)).pairs).toBeNull();
  });

  it('have pairs in ascending order, none below zero', () => {
    const { pairs } = figuresOf('the quick brown fox jumps over the lazy dog and the quick cat');
    expect(pairs).toHaveLength(11);
    expect(pairs?.every((pair, at) => pair >= 0 && pair > (pairs[at - 1] ?? -1))).toBe(true);
  });

  it('of one or two words differ', () => {
    const hashes = ['one', 'two', 'one two', 'two one', 'one two three'].map(
      (text) => figuresOf(text).simhash,
    );
    expect(new Set(hashes).size).toBe(5);
  });
});

it.each([
  ['0000000000000000', '0000000000000000', 0],
  ['0000000000000001', '0000000000000000', 1],
  ['8000000000000000', '0000000000000000', 1],
  ['0000000080000000', '0000000000000000', 1],
  ['ffffffffffffffff', '0000000000000000', 64],
  ['ffffffff00000000', '00000000ffffffff', 64],
  ['f0f0f0f0f0f0f0f0', 'f0f0f0f0f0f0f0ff', 4],
])('the bits of %s and %s differ in %i places', (left, right, distance) => {
  expect(simhashDistance(left, right)).toBe(distance);
  expect(simhashDistance(right, left)).toBe(distance);
});

it.each([
  [[], [], 0],
  [[1], [], 0],
  [[1, 2, 3], [1, 2, 3], 1],
  [[1, 2, 3], [4, 5, 6], 0],
  [[1, 2, 3], [2, 3, 4], 0.5],
  [[1, 5, 9], [0, 1, 2, 9], 0.4],
  [[2], [1, 2, 3, 4], 0.25],
])('%j and %j overlap by %d', (left, right, share) => {
  expect(overlap(left, right)).toBe(share);
  expect(overlap(right, left)).toBe(share);
});
