/**
 * For every rule and its example: if one sample did not observe a section, the findings stay as they are while another
 * sample of the side shows it; if none does, the section is reported as not compared, never as equal or as noise.
 */
import { expect, test } from 'vitest';
import { exampleSamples, RULE_EXAMPLES } from '../../test/support/rule-examples/index.js';
import type { SignalEnvelope } from '../probe/index.js';
import { computeDiff } from './compute-diff.js';
import type { Finding } from './finding.js';
import { FACT_SECTIONS, type FactSection } from './observed-facts.js';

const MEASURED = new Set([
  'TIMING_DRIFT',
  'TIMING_PHASE_DRIFT',
  'TIMING_VARIANCE_DRIFT',
  'CACHE_STATUS_DRIFT',
]);

function unobserved(envelope: SignalEnvelope, section: FactSection): SignalEnvelope {
  const observed = (envelope.coverage?.observed ?? []).filter((one) => one !== section);
  return { ...envelope, coverage: { ...envelope.coverage, observed } };
}

const brief = ({ id, severity, direction, stability, status }: Finding) =>
  [id, severity, direction, stability, status].join(' ');
const judged = (left: readonly SignalEnvelope[], right: readonly SignalEnvelope[]) => {
  const diff = computeDiff(left, right, { candidate: 'right' });
  expect(diff.ruleErrors).toEqual([]);
  return diff;
};

test.each(Object.entries(RULE_EXAMPLES))('%s', (_code, example) => {
  const { left, right } = exampleSamples(example);
  if (left.length > 1 || !left[0] || !right[0]) return;
  const thrice = (envelope: SignalEnvelope) => [1, 2, 3].map((sample) => ({ ...envelope, sample }));
  const sides = { left: thrice(left[0]), right: thrice(right[0]) };
  const before = judged(sides.left, sides.right);
  const kept = before.findings.filter(({ code }) => !MEASURED.has(code)).map(brief);
  for (const section of FACT_SECTIONS) {
    for (const at of [0, 1]) {
      const some = sides.left.map((one, n) => (n === at ? unobserved(one, section) : one));
      const found = judged(some, sides.right).findings.filter(({ code }) => !MEASURED.has(code));
      expect(found.map(brief), `${section} of sample ${at + 1}`).toEqual(kept);
    }
    const none = judged(
      sides.left.map((one) => unobserved(one, section)),
      sides.right,
    );
    expect(none.findings.filter(({ stability }) => stability === 'noisy')).toEqual([]);
    const seen = [sides.left, sides.right].every((side) => side[0]?.coverage?.observed.includes(section));
    const { compared, notCompared } = none.coverage;
    if (seen && none.probe.responsePresent)
      expect(notCompared.length + compared.length, section).toBeGreaterThanOrEqual(
        before.coverage.notCompared.length + before.coverage.compared.length,
      );
    if (seen && none.probe.responsePresent)
      expect(notCompared.length, section).toBeGreaterThan(before.coverage.notCompared.length);
  }
});
