import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenBuckets } from './token-buckets.js';

test('never allows more than a full bucket plus the refill', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 600 }),
      fc.array(fc.nat(5000), { maxLength: 300 }),
      (perMinute, gaps) => {
        let now = 0;
        const buckets = new TokenBuckets({ perMinute, clock: () => now, bucketsMax: 10 });
        let allowed = 0;
        for (const gap of gaps) {
          now += gap;
          const state = buckets.take('key');
          if (state.allowed) allowed += 1;
          else {
            const waited = new TokenBuckets({ perMinute, clock: () => now, bucketsMax: 10 });
            expect(waited.take('key').allowed).toBe(true);
            expect(state.retryAfterSeconds).toBeGreaterThan(0);
          }
        }
        expect(allowed).toBeLessThanOrEqual(perMinute + (now * perMinute) / 60_000 + 1e-6);
      },
    ),
    { numRuns: 100 },
  );
});

test('an idle hour fills the bucket only to its size', () => {
  let now = 0;
  const buckets = new TokenBuckets({ perMinute: 3, clock: () => now, bucketsMax: 10 });
  buckets.take('key');
  now += 3_600_000;
  const taken = Array.from({ length: 4 }, () => buckets.take('key'));
  expect(taken.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
});

test('the number of buckets is bounded and the least recently used one is dropped first', () => {
  const buckets = new TokenBuckets({ perMinute: 1, clock: () => 0, bucketsMax: 2 });
  buckets.take('a');
  buckets.take('b');
  buckets.take('a');
  buckets.take('c');
  expect(buckets.size).toBe(2);
  expect(buckets.take('a').allowed).toBe(false);
});

test('a clock that goes back adds no tokens', () => {
  let now = 60_000;
  const buckets = new TokenBuckets({ perMinute: 1, clock: () => now, bucketsMax: 2 });
  buckets.take('a');
  now = 0;
  expect(buckets.take('a').allowed).toBe(false);
});

test('reports the remaining tokens, and the seconds until the next token and the full bucket', () => {
  let now = 0;
  const buckets = new TokenBuckets({ perMinute: 40, clock: () => now, bucketsMax: 2 });
  for (let n = 1; n < 40; n++) buckets.take('a');
  expect(buckets.take('a')).toEqual({
    allowed: true,
    remaining: 0,
    retryAfterSeconds: 0,
    resetSeconds: 60,
  });
  now = 750;
  expect(buckets.take('a')).toEqual({
    allowed: false,
    remaining: 0,
    retryAfterSeconds: 1,
    resetSeconds: 60,
  });
  now = 1_500;
  expect(buckets.take('a')).toMatchObject({ allowed: true, remaining: 0 });
  now = 4_000;
  expect(buckets.take('a')).toEqual({
    allowed: true,
    remaining: 0,
    retryAfterSeconds: 0,
    resetSeconds: 59,
  });
});

test('a refused request also marks its bucket as recently used', () => {
  const buckets = new TokenBuckets({ perMinute: 1, clock: () => 0, bucketsMax: 2 });
  for (const key of ['a', 'b', 'a', 'c']) buckets.take(key);
  expect(buckets.size).toBe(2);
  expect(['a', 'c', 'b'].map((key) => buckets.take(key).allowed)).toEqual([false, false, true]);
});
