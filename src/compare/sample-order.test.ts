import { expect, test } from 'vitest';
import { sampleOrder, seededRandom } from './sample-order.js';

test('either side is first half of the time, and the other one second', () => {
  expect(sampleOrder(() => 0.499)).toEqual(['left', 'right']);
  expect(sampleOrder(() => 0.5)).toEqual(['right', 'left']);
});

test('the numbers of a seed never change, because a resumed run draws them again', () => {
  const random = seededRandom('pair:1 1');
  expect([random(), random(), random()]).toEqual([
    0.8213896420784295, 0.5744268684647977, 0.5648811960127205,
  ]);
});

test('similar seeds give numbers that are spread evenly', () => {
  const numbers = Array.from({ length: 4_000 }, (_, seed) => seededRandom(`pair:${seed} 1`)());
  for (const tenth of Array.from({ length: 10 }, (_, at) => at / 10)) {
    const count = numbers.filter((number) => number >= tenth && number < tenth + 0.1).length;
    expect(count).toBeGreaterThan(300);
    expect(count).toBeLessThan(500);
  }
});
