import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { intervalRank, median, quantile, rankSumCounts, rankSumShift } from './rank-sum.js';
import { judgeTiming } from './timing-shift.js';

/** Counts every way to assign the m+n ranks to the first group: the definition, feasible for small groups. */
function countsByDefinition(m: number, n: number): number[] {
  const counts = new Array<number>(m * n + 1).fill(0);
  const choose = (from: number, left: number, sum: number): void => {
    if (left === 0) {
      const u = sum - (m * (m + 1)) / 2;
      counts[u] = (counts[u] ?? 0) + 1;
      return;
    }
    for (let rank = from; rank <= m + n - left + 1; rank++) choose(rank + 1, left - 1, sum + rank);
  };
  choose(1, m, 0);
  return counts;
}

test.each([
  [1, 1],
  [2, 3],
  [5, 5],
  [4, 6],
  [3, 7],
])('the distribution for %i and %i equals that of all orderings', (m, n) => {
  expect(rankSumCounts(m, n)).toEqual(countsByDefinition(m, n));
});

test('the ranks of the interval match published tables (two-sided 1 %)', () => {
  expect([
    intervalRank(5, 5),
    intervalRank(6, 6),
    intervalRank(8, 8),
    intervalRank(10, 10),
    intervalRank(5, 10),
  ]).toEqual([1, 3, 8, 17, 5]);
});

describe('the shift', () => {
  test('needs five samples per side', () => {
    expect(rankSumShift([1, 2, 3, 4], [1, 2, 3, 4, 5])).toBeUndefined();
  });

  test('moves with data moved by a constant, and its interval contains the estimate', () => {
    const list = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 5, maxLength: 12 });
    fc.assert(
      fc.property(list, list, fc.integer({ min: -500, max: 500 }), (a, b, by) => {
        const plain = rankSumShift(a, b);
        const moved = rankSumShift(
          a,
          b.map((value) => value + by),
        );
        if (!plain || !moved) throw new Error('too few');
        expect(moved.estimate).toBeCloseTo(plain.estimate + by, 6);
        expect(plain.low <= plain.estimate && plain.estimate <= plain.high).toBe(true);
      }),
    );
  });
});

test('computes medians and quantiles', () => {
  expect([median([]), median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([0, 2, 2.5]);
  expect([quantile([1, 2, 3, 4, 5], 0.95), quantile([1], 0.5)]).toEqual([5, 1]);
});

describe('the judgement of durations', () => {
  test('is information with fewer than five samples, however large the shift', () => {
    expect(judgeTiming([10, 11], [9000, 9001])).toMatchObject({ severity: 'info', slower: 'right' });
  });
  test('is silent for small shifts and for shifts within the variance', () => {
    expect(judgeTiming([100, 101, 102, 103, 104], [120, 121, 122, 123, 124])).toBeUndefined();
    expect([judgeTiming([], [9000]), judgeTiming([9000], [])]).toEqual([undefined, undefined]);
    expect(judgeTiming([100, 300, 120, 310, 130], [320, 110, 330, 115, 340])).toBeUndefined();
  });
  test('is a warning, and critical from 2.5 times or one second', () => {
    expect(judgeTiming([100, 101, 102, 103, 104], [160, 161, 162, 163, 164])).toMatchObject({
      severity: 'warn',
    });
    expect(judgeTiming([300, 301, 302, 303, 304], [100, 101, 102, 103, 104])).toMatchObject({
      severity: 'critical',
      slower: 'left',
    });
    expect(judgeTiming([5000, 5001, 5002, 5003, 5004], [6100, 6101, 6102, 6103, 6104])).toMatchObject({
      severity: 'critical',
    });
  });
});
