import { expect, test } from 'vitest';
import { CountMap } from './count-map.js';

test('counts up and down by key and drops keys with a count of zero', () => {
  const counts = new CountMap([['a', 2]]);
  counts.add('a', -2);
  counts.add('b', 3);
  expect([counts.get('a'), counts.get('b'), counts.get('never seen')]).toEqual([0, 3, 0]);
  expect([...counts]).toEqual([['b', 3]]);
});
