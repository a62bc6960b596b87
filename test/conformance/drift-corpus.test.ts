/**
 * Planted drifts and equal pairs on two real servers, each compared in both directions. Checks the code, the severity
 * and the exit code, once with the worse side as the candidate and once with the better one.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodeFor } from '../../src/cli/compare/exit-code.js';
import { type CompareOptions, computeDiff, type EnvDiff } from '../../src/compare/index.js';
import { explainDiff } from '../../src/explain/index.js';
import type { SignalEnvelope } from '../../src/probe/index.js';
import type { CorpusDrift, CorpusDrifts, Expected } from '../support/planted-drift/corpus-case.js';
import { CACHE_DRIFTS, CONTENT_DRIFTS, ROUTING_DRIFTS } from '../support/planted-drift/corpus-drifts.js';
import { EQUAL_PAIRS } from '../support/planted-drift/corpus-equals.js';
import { DATA_DRIFTS, HEADER_DRIFTS, PAGE_DRIFTS } from '../support/planted-drift/corpus-further.js';
import { SECURITY_DRIFTS } from '../support/planted-drift/corpus-security.js';
import { openPlantedSides, type PlantedSides } from '../support/planted-drift/planted-sides.js';

const DRIFTS: CorpusDrifts = {
  ...ROUTING_DRIFTS,
  ...SECURITY_DRIFTS,
  ...CACHE_DRIFTS,
  ...CONTENT_DRIFTS,
  ...HEADER_DRIFTS,
  ...DATA_DRIFTS,
  ...PAGE_DRIFTS,
};
const SAMPLES = 2;
type Samples = readonly SignalEnvelope[];

let sides: PlantedSides;
beforeAll(async () => {
  sides = await openPlantedSides();
});
afterAll(() => sides.close());

const exitOf = (diff: EnvDiff, failOn: 'warn' | 'critical' = 'critical') => {
  const [name, explanation] = ['/planted', explainDiff(diff)];
  const envelope = { result: {} } as SignalEnvelope;
  const pairs = [{ name, left: envelope, right: envelope, diff, explanation }];
  return exitCodeFor({ pairs, suiteFindings: [], failOn, verdict: diff.verdict });
};
const listed = ({ findings }: EnvDiff) =>
  findings.map(({ code, severity, explainedBy, message }) =>
    [severity, code, explainedBy ? `(below ${explainedBy})` : '', message].join(' '),
  );

function expectFound(diff: EnvDiff, { code }: CorpusDrift, { severity, exit, strictExit }: Expected): void {
  const all = listed(diff).join('\n');
  const found = diff.findings.filter((finding) => finding.code === code && finding.stability !== 'noisy');
  expect(found.length, all).toBeGreaterThan(0);
  expect([found[0]?.severity, exitOf(diff)], all).toEqual([severity, exit]);
  const strict = strictExit ?? (exit === 0 && severity === 'warn' ? 1 : exit);
  expect(exitOf(diff, 'warn'), `with --fail-on warn:\n${all}`).toBe(strict);
  expect(diff.ruleErrors).toEqual([]);
}

const compare = (left: Samples, right: Samples, options: CompareOptions = {}) =>
  computeDiff(left, right, { samples: SAMPLES, labels: { left: 'one', right: 'two' }, ...options });

test('the corpus has at least 80 drifts and 30 equal pairs', () => {
  expect(Object.keys(DRIFTS).length).toBeGreaterThanOrEqual(80);
  expect(Object.keys(EQUAL_PAIRS).length).toBeGreaterThanOrEqual(30);
});

describe('drift', () => {
  test.each(Object.entries(DRIFTS))('%s', async (_name, drift) => {
    const { worse, better, worseSide, expected, mirrored, ...more } = drift;
    const [left, right] = worseSide === 'left' ? [worse, better] : [better, worse];
    const taken = await sides.take({ severity: 'info', left, right, samples: SAMPLES, ...more });
    const bad = worseSide === 'left' ? taken.left : taken.right;
    const good = worseSide === 'left' ? taken.right : taken.left;
    expectFound(compare(bad, good), drift, expected);
    expectFound(compare(good, bad), drift, mirrored);
    expectFound(compare(good, bad, { candidate: 'right' }), drift, expected);
  });
});

describe('equal', () => {
  test.each(Object.entries(EQUAL_PAIRS))('%s', async (_name, pair) => {
    const { left, right } = await sides.take({ severity: 'info', samples: SAMPLES, ...pair });
    for (const diff of [compare(left, right), compare(right, left)]) {
      expect(
        diff.findings
          .filter(({ severity }) => severity !== 'info')
          .map(({ code, message }) => `${code}: ${message}`),
      ).toEqual([]);
      expect([diff.verdict, exitOf(diff, 'warn')]).toEqual(['pass', 0]);
    }
  });
});
