import { expect, test } from 'vitest';
import { GOLDEN_PAIRS } from '../../test/support/golden-pairs.js';
import { exampleSamples, RULE_EXAMPLES } from '../../test/support/rule-examples/index.js';
import { computeDiff } from './compute-diff.js';
import type { Rule } from './rule.js';
import { RULES } from './rules/index.js';
import { serializeDiff } from './serialize-diff.js';

/** The same rules without what they say of themselves: every one of them is asked of every pair. */
const UNDECLARED = RULES.map(({ reads: _, parts: __, ...rule }): Rule => rule);

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
