import { describe, expect, test } from 'vitest';
import { makeEnvelope } from '../../../test/support/make-envelope.js';
import { exampleSamples, RULE_EXAMPLES } from '../../../test/support/rule-examples/index.js';
import type { Side, SignalEnvelope } from '../../probe/index.js';
import { computeDiff } from '../compute-diff.js';
import type { Direction } from '../finding.js';
import { CATEGORY_ORDER, FINDING_CODES, type FindingCode } from '../finding-codes.js';
import { RULES } from './index.js';

const MIRRORED: Readonly<Record<Direction, Direction>> = {
  left_only: 'right_only',
  right_only: 'left_only',
  left_weaker: 'right_weaker',
  right_weaker: 'left_weaker',
  changed: 'changed',
};

const onSide = (side: Side, samples: readonly SignalEnvelope[]) =>
  samples.map((envelope) => ({ ...envelope, side }));

const PAIR_RULES = RULES.filter(({ code }) => code !== 'ROUTE_SET_DRIFT');

test('every code has exactly one rule, and every rule has an example', () => {
  expect(RULES.map(({ code }) => code).sort()).toEqual(Object.keys(FINDING_CODES).sort());
  const missing = PAIR_RULES.filter(({ code }) => !RULE_EXAMPLES[code]);
  expect(missing, 'add an example to test/support/rule-examples/').toEqual([]);
});

describe.each(PAIR_RULES.map((rule) => [rule.code, rule] as const))('%s', (code, rule) => {
  const example = RULE_EXAMPLES[code];
  if (!example) throw new Error(`no example for ${code}: add one to test/support/rule-examples/`);
  const { left, right } = exampleSamples(example);
  const found = (diff: ReturnType<typeof computeDiff>) => diff.findings.filter((one) => one.code === code);

  const candidate = example.candidate ?? 'right';
  const other = candidate === 'right' ? 'left' : 'right';

  test('fires, with its severity, both values, a recommendation and fingerprints', () => {
    const diff = computeDiff(left, right, { candidate });
    const [finding] = found(diff);
    expect(finding).toMatchObject({ severity: example.severity, recommendations: [rule.recommendation] });
    expect(finding?.fingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(finding?.valueFingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(finding?.left_value !== null || finding?.right_value !== null).toBe(true);
    expect(finding?.message).not.toMatch(/undefined|null|\[object/);
    expect(diff.ruleErrors).toEqual([]);
  });

  test('names the sides by their labels, never as left and right', () => {
    const labels = { left: 'LABEL-A', right: 'LABEL-B' };
    const [finding] = found(computeDiff(left, right, { candidate, labels }));
    const text = [finding?.message, ...(finding?.evidence ?? []).map(({ note }) => note)].join(' ');
    expect(text).not.toMatch(/\b(left|right)\b|[\ufdd0\ufdd1]/);
    expect(rule.title).not.toMatch(/^(Another|Other) |\b(left|right|answers?)\b/);
    expect(`${rule.about} ${rule.recommendation}`).not.toMatch(/protected side|\bthe (left|right)\b/);
  });

  test('has full severity if the candidate is worse, and is information if it is better', () => {
    const [worse] = found(computeDiff(left, right, { candidate }));
    const [better] = found(computeDiff(left, right, { candidate: other }));
    if (example.undirected || example.severity === 'info') {
      expect(better?.severity).toBe(worse?.severity);
      return;
    }
    expect(worse).toMatchObject({ severity: example.severity, effect: 'regression' });
    expect(better).toMatchObject({ severity: 'info', effect: 'improvement' });
    expect(better?.direction).toBe(worse?.direction);
  });

  test('is mirrored when the sides are swapped', () => {
    const [before] = found(computeDiff(left, right, { candidate }));
    const [after] = found(computeDiff(onSide('left', right), onSide('right', left), { candidate: other }));
    expect(after).toMatchObject({
      severity: before?.severity,
      effect: before?.effect,
      direction: before && MIRRORED[before.direction],
      left_value: before?.right_value,
      right_value: before?.left_value,
    });
  });

  test('is silent if nothing that it covers differs', () => {
    const [a, b] = example.silent;
    // An example with no content would prove nothing.
    expect({ ...a, ...b }).not.toEqual({});
    expect(found(computeDiff([makeEnvelope('left', a)], [makeEnvelope('right', b)]))).toEqual([]);
    const same = computeDiff([makeEnvelope('left', {})], [makeEnvelope('right', {})]);
    expect(same.findings).toEqual([]);
  });

  test('is silent if a side did not observe its inputs', () => {
    if (rule.inputs.includes('outcome')) return;
    const blind = right.map((envelope) => ({
      ...envelope,
      coverage: { observed: (envelope.coverage?.observed ?? []).filter((one) => !rule.inputs.includes(one)) },
    }));
    expect(found(computeDiff(left, blind))).toEqual([]);
  });
});

test('the order has every category, and those about the whole response come first', () => {
  expect([...CATEGORY_ORDER].sort()).toEqual([...new Set(Object.values(FINDING_CODES))].sort());
  expect(CATEGORY_ORDER.slice(0, 3)).toEqual(['reliability', 'routing', 'auth']);
});

test('the oldest codes keep their names', () => {
  const first: FindingCode[] = [
    'PROBE_FAILURE',
    'STATUS_MISMATCH',
    'FINAL_URL_MISMATCH',
    'REDIRECT_CHAIN_CHANGED',
    'AUTH_CHALLENGE_PRESENT',
    'CORS_HEADER_DRIFT',
    'CACHE_HEADER_DRIFT',
    'CONTENT_TYPE_DRIFT',
    'BODY_HASH_DRIFT',
    'CONTENT_LENGTH_DRIFT',
    'TIMING_DRIFT',
    'CF_CONTEXT_DRIFT',
    'UNKNOWN_DRIFT',
  ];
  expect(first.every((code) => RULES.some((rule) => rule.code === code))).toBe(true);
});
