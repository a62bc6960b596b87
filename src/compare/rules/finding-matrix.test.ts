/** What is found between any two of a family, against files that people have looked at. */
import { expect, test } from 'vitest';
import { EXCHANGE_MATRICES, SAMPLED } from '../../../test/support/compare-exchange-matrices.js';
import { MATRICES } from '../../../test/support/compare-matrices.js';
import { makeEnvelope, type Sketch } from '../../../test/support/make-envelope.js';
import { exampleSamples, RULE_EXAMPLES } from '../../../test/support/rule-examples/index.js';
import type { Side, SignalEnvelope } from '../../probe/index.js';
import { computeDiff } from '../compute-diff.js';
import type { Finding } from '../finding.js';

const FAMILIES = { ...MATRICES, ...EXCHANGE_MATRICES };
const GOLDEN = '../../../test/golden/findings';
const labels = { left: 'A', right: 'B' };

function found(left: readonly SignalEnvelope[], right: readonly SignalEnvelope[]): readonly Finding[] {
  const { findings, ruleErrors } = computeDiff(left, right, { candidate: 'right', labels });
  expect(ruleErrors).toEqual([]);
  return findings;
}

function brief({ code, severity, direction, message }: Finding): string {
  return `    ${code} ${severity} ${direction}: ${message}`;
}

function whole(finding: Finding): string {
  const places = finding.evidence.map(
    ({ section, keys, left, right, note }) =>
      `        ${[section, ...keys].join(' / ')}: ${JSON.stringify(left)} → ${JSON.stringify(right)}${note === undefined ? '' : ` (${note})`}`,
  );
  return [brief(finding), ...places].join('\n');
}

test.each(Object.keys(FAMILIES))('%s', async (name) => {
  const family = FAMILIES[name] ?? [];
  const lines = family.flatMap((left, from) =>
    family.flatMap((right, to) => {
      if (from === to) return [];
      const findings = found([makeEnvelope('left', left)], [makeEnvelope('right', right)]);
      return [`${shown(left)} → ${shown(right)}`, ...findings.map(brief)];
    }),
  );
  const file = name.replaceAll(' ', '-');
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`${GOLDEN}/${file}.txt`);
});

test.each(Object.keys(SAMPLED))('%s', async (name) => {
  const family = SAMPLED[name] ?? [];
  const side = (which: Side, sketches: readonly Sketch[]) =>
    sketches.map((sketch, at) => makeEnvelope(which, sketch, at + 1));
  const lines = family.flatMap((left, from) =>
    family.flatMap((right, to) => {
      if (from === to) return [];
      const diff = computeDiff(side('left', left), side('right', right), { candidate: 'right', labels });
      return [
        `${left.map(shown).join(', ')} → ${right.map(shown).join(', ')}`,
        `    ${diff.verdict}: ${diff.verdictReasons.join('; ')}`,
        ...diff.notices.map(({ code, message }) => `    ${code}: ${message}`),
        ...diff.findings.map((finding) => `${brief(finding)} (${finding.stability}, ${finding.status})`),
      ];
    }),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`${GOLDEN}/${name.replaceAll(' ', '-')}.txt`);
});

test('what a comparison covered', async () => {
  const lines = Object.entries(EXCHANGE_MATRICES).flatMap(([name, family]) =>
    family.slice(1).map((right) => {
      const { coverage, verdict, verdictReasons } = computeDiff(
        [makeEnvelope('left', family[0])],
        [makeEnvelope('right', right)],
        { candidate: 'right', labels },
      );
      const missing = coverage.notCompared.map(({ part, reason }) => `${part} (${reason})`);
      return [
        `${name}: ${shown(right)}`,
        `    ${verdict}: ${verdictReasons.join('; ')}`,
        `    compared ${coverage.compared.join(', ')}`,
        `    not ${missing.join(', ')}`,
      ].join('\n');
    }),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`${GOLDEN}/coverage.txt`);
});

test('the examples of all rules', async () => {
  const lines = Object.entries(RULE_EXAMPLES).flatMap(([code, example]) => {
    const { left, right } = exampleSamples(example);
    return [code, ...found(left, right).map(whole)];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`${GOLDEN}/rule-examples.txt`);
});

function shown(sketch: Sketch): string {
  return JSON.stringify(sketch, (_key, value: unknown) => value ?? 'absent')
    .replaceAll(/"(\w+)":/g, '$1: ')
    .slice(0, 160);
}
