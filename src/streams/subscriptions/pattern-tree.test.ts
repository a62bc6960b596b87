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
