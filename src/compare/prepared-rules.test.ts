import { expect, test } from 'vitest';
import { GOLDEN_PAIRS } from '../../test/support/golden-pairs.js';
import { makeEnvelope } from '../../test/support/make-envelope.js';
import { exampleSamples, RULE_EXAMPLES } from '../../test/support/rule-examples/index.js';
import { computeDiff } from './compute-diff.js';
import type { Rule } from './rule.js';
import { RULES } from './rules/index.js';
import { serializeDiff } from './serialize-diff.js';

/** The same rules without what they say of themselves: every one of them is asked of every pair. */
const UNDECLARED = RULES.map(({ reads: _, parts: __, passesOver: ___, ...rule }): Rule => rule);

const PAIRS = [
  ...Object.entries(GOLDEN_PAIRS),
  ...Object.entries(RULE_EXAMPLES).map(([code, example]) => [code, exampleSamples(example)] as const),
];

test.each(PAIRS)('%s: a rule that is passed over had nothing to say', (_, { left, right }) => {
  const asked = serializeDiff(computeDiff(left, right, { rules: UNDECLARED }));
  expect(serializeDiff(computeDiff(left, right))).toBe(asked);
});

/** Every pair of examples, so that each rule meets the differences of all others. */
test('that holds where two examples are mixed', () => {
  const samples = Object.values(RULE_EXAMPLES).map((example) => exampleSamples(example));
  for (const [index, { left }] of samples.entries()) {
    const right = samples[(index + 7) % samples.length]?.right ?? [];
    const asked = serializeDiff(computeDiff(left, right, { rules: UNDECLARED }));
    expect(serializeDiff(computeDiff(left, right))).toBe(asked);
  }
});

/** What differs within a side is noise, whichever way a rule says what it reads: by value, presence or prefix. */
test('that holds where the samples of a side differ', () => {
  const samples = Object.values(RULE_EXAMPLES).map((example) => exampleSamples(example));
  let noisy = 0;
  for (const [index, { left, right }] of samples.entries()) {
    for (const step of [0, 3, 11]) {
      const other = samples[(index + step) % samples.length];
      const sides = [
        [...left, ...(other?.right ?? [])],
        [...right, ...(other?.left ?? [])],
      ] as const;
      const diff = computeDiff(...sides);
      expect(serializeDiff(diff)).toBe(serializeDiff(computeDiff(...sides, { rules: UNDECLARED })));
      noisy += diff.findings.filter(({ stability }) => stability === 'noisy').length;
    }
  }
  expect(noisy).toBeGreaterThan(50);
});

test('a header that comes and goes on one side is noise, whether a rule knows it or not', () => {
  const without = { headers: {} };
  const flapping = { headers: { 'x-powered-by': 'PHP/8.2' }, otherNames: ['x-release-ring'] };
  const { findings } = computeDiff(
    [makeEnvelope('left', without), makeEnvelope('left', flapping)],
    [makeEnvelope('right', flapping), makeEnvelope('right', flapping)],
  );
  expect(findings.map(({ code, stability }) => `${code} ${stability}`)).toEqual([
    'INFO_EXPOSURE_DRIFT noisy',
    'SERVER_STACK_DRIFT noisy',
    'UNKNOWN_DRIFT noisy',
  ]);
});
