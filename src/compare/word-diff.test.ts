import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffBlocks, excerptText, wordExcerpt } from './word-diff.js';

const hunks = (left: string, right: string) =>
  diffBlocks([...left], [...right]).map(({ after, left: a, right: b }) => [after, a.join(''), b.join('')]);

test.each([
  ['', '', []],
  ['abc', 'abc', []],
  ['abc', 'abxc', [['b', '', 'x']]],
  ['abc', 'xabc', [['', '', 'x']]],
  ['abc', 'abcx', [['c', '', 'x']]],
  ['abc', 'ac', [['a', 'b', '']]],
  ['abc', 'axc', [['a', 'b', 'x']]],
  ['', 'ab', [['', '', 'ab']]],
  ['ab', '', [['', 'ab', '']]],
  ['aa', 'a', [['a', 'a', '']]],
  ['a', 'aaa', [['a', '', 'aa']]],
  // Keeps a longest common subsequence, not the first match of each: b c d stay, x and a change.
  [
    'abcd',
    'bcdxa',
    [
      ['', 'a', ''],
      ['d', '', 'xa'],
    ],
  ],
  [
    'axbyc',
    'bxayc',
    [
      ['', 'ax', ''],
      ['b', '', 'xa'],
    ],
  ],
  [
    '1a2b3',
    '1c2d3',
    [
      ['1', 'a', 'c'],
      ['2', 'b', 'd'],
    ],
  ],
] as const)('%s → %s', (left, right, expected) => {
  expect(hunks(left, right)).toEqual(expected);
});

/** Straight from the definition. */
function commonLength(a: string, b: string): number {
  if (a === '' || b === '') return 0;
  const [rest, others] = [a.slice(1), b.slice(1)];
  return a[0] === b[0]
    ? 1 + commonLength(rest, others)
    : Math.max(commonLength(rest, b), commonLength(a, others));
}

test('keeps as many blocks as any alignment can', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const changed = hunks(left, right);
      const [lost, added] = [1, 2].map((at) => changed.map((hunk) => hunk[at] ?? '').join('').length);
      expect([lost, added]).toEqual([
        left.length - commonLength(left, right),
        right.length - commonLength(left, right),
      ]);
    }),
    { numRuns: 500 },
  );
});

const excerpt = (left: string, right: string, after = '') =>
  excerptText(
    wordExcerpt({ after, left: left === '' ? [] : [left], right: right === '' ? [] : [right] }),
    'right',
  );

test.each([
  ['old price', 'new price', '[-old-] {+new+} price'],
  ['a b c', 'a b c d', 'a b c {+d+}'],
  ['a b c', '', '[-a b c-]'],
  ['a  b\n c', 'a x c', 'a [-b-] {+x+} c'],
])('%j → %j reads %j', (left, right, expected) => {
  expect(excerpt(left, right)).toBe(expected);
});

test('shows five words before the change', () => {
  expect(excerpt('a', 'b', 'one two three four five six')).toBe('… two three four five six [-a-] {+b+}');
});

test('shows only the ends of a long run that both sides have', () => {
  const eleven = 'a b c d e f g h i j k';
  expect(excerpt(`x ${eleven} x`, `y ${eleven} y`)).toBe(`[-x-] {+y+} ${eleven} [-x-] {+y+}`);
  expect(excerpt(`x ${eleven} l x`, `y ${eleven} l y`)).toBe('[-x-] {+y+} a b c d e … h i j k l [-x-] {+y+}');
  expect(excerpt(`x ${eleven} l`, `y ${eleven} l`)).toBe('[-x-] {+y+} a b c d e …');
});

test('a line has at most 240 characters, and marks where it was cut', () => {
  const line = (chars: number) =>
    wordExcerpt({ after: '', left: ['x'.repeat(chars)], right: ['y'] }).map(({ text }) => text);
  expect(line(239)).toEqual(['x'.repeat(239), 'y']);
  expect(line(240)).toEqual(['x'.repeat(240)]);
  expect(line(241)).toEqual([`${'x'.repeat(239)}…`]);
  const cut = wordExcerpt({ after: '', left: ['x'.repeat(239)], right: ['yy'] });
  expect(cut.map(({ text }) => text)).toEqual(['x'.repeat(239), 'y…']);
});

test("the candidate's words are the new ones, whichever side it is", () => {
  const line = wordExcerpt({ after: '', left: ['a'], right: ['b'] });
  expect(excerptText(line, 'left')).toBe('{+a+} [-b-]');
});
