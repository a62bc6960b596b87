import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PatternTree } from './pattern-tree.js';
import { PathPattern } from './stream-path.js';

const path = fc
  .array(fc.constantFrom('a', 'b', '*', '%2A'), { minLength: 1, maxLength: 5 })
  .map((segments) => segments.join('/'));
const pattern = fc
  .array(fc.constantFrom('a', 'b', '*', '**', '%2A'), { minLength: 1, maxLength: 5 })
  .map((segments) => segments.join('/'));

test('finds exactly the patterns that match on their own', () => {
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 12 }), path, (texts, given) => {
      const tree = new PatternTree<number>();
      const patterns = texts.map((text) => new PathPattern(text));
      for (const [index, each] of patterns.entries()) tree.add(each, index);
      const matching = patterns.flatMap((each, index) => (each.matches(given) ? [index] : []));
      expect([...tree.matching(given)].toSorted()).toEqual(matching.toSorted());
      for (const [index, each] of patterns.entries()) if (index % 2 === 0) tree.remove(each, index);
      expect([...tree.matching(given)].toSorted()).toEqual(
        matching.filter((index) => index % 2 === 1).toSorted(),
      );
    }),
  );
});

test.each([
  ['a', 'x/a', false],
  ['*/b', 'x/b', true],
  ['*/b', 'b', false],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**/b', 'a/x/y', false],
  ['**/**/a', 'a', true],
  ['a/*/c', 'a/b/b/c', false],
])('the pattern %s finds %s: %s', (text, given, isFound) => {
  const tree = new PatternTree<number>();
  tree.add(new PathPattern(text), 1);
  expect(tree.matching(given).has(1)).toBe(isFound);
});

test.each([
  ['a/b', 'a/b'],
  ['a/b', 'a'],
  ['a', 'a/b'],
  ['a/b', 'a/c'],
  ['*', 'a'],
  ['*', '**'],
  ['**/b', '**'],
  ['a/*/c', 'a/*'],
])('removing %s leaves %s, and removing both leaves no node', (first, second) => {
  const tree = new PatternTree<number>();
  const [one, two] = [new PathPattern(first), new PathPattern(second)];
  expect(tree.isEmpty).toBe(true);
  tree.add(one, 1);
  tree.add(two, 2);
  tree.remove(new PathPattern('a/b/c/d'), 1);
  tree.remove(one, 1);
  expect([...tree.matching(first)]).not.toContain(1);
  expect([...tree.matching(second)]).toEqual([2]);
  expect(tree.isEmpty).toBe(false);
  tree.remove(two, 2);
  expect(tree.isEmpty).toBe(true);
  expect([...tree.matching(second)]).toEqual([]);
});
