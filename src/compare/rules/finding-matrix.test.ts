/** What is found between any two of a family, against files that people have looked at. */
import { expect, test } from 'vitest';
import { EXCHANGE_MATRICES, SAMPLED } from '../../../test/support/compare-exchange-matrices.js';
import { HEADER_MATRICES, MORE_SAMPLED } from '../../../test/support/compare-header-matrices.js';
import { MATRICES } from '../../../test/support/compare-matrices.js';
import { PAGE_MATRICES } from '../../../test/support/compare-page-matrices.js';
import { HOSTS, makeEnvelope, type Sketch } from '../../../test/support/make-envelope.js';
import { exampleSamples, RULE_EXAMPLES } from '../../../test/support/rule-examples/index.js';
import type { Side, SignalEnvelope } from '../../probe/index.js';
import { computeDiff } from '../compute-diff.js';
import type { Finding } from '../finding.js';
import { portableTextHash } from '../fingerprint.js';

const FAMILIES = { ...MATRICES, ...PAGE_MATRICES, ...HEADER_MATRICES, ...EXCHANGE_MATRICES };
const SAMPLED_FAMILIES = { ...SAMPLED, ...MORE_SAMPLED };
const GOLDEN = '../../../test/golden/findings';
const labels = { left: 'A', right: 'B' };

/** The envelope of a sketch, with the side's own host wherever the sketch refers to it. */
function envelopeOf(side: Side, sketch: Sketch | undefined, sample = 1): SignalEnvelope {
  const envelope = makeEnvelope(side, sketch, sample);
  const text = JSON.stringify(envelope);
  if (!text.includes('{ownHost}')) return envelope;
  return JSON.parse(text.replaceAll('{ownHost}', HOSTS[side])) as SignalEnvelope;
}

function found(left: readonly SignalEnvelope[], right: readonly SignalEnvelope[]): readonly Finding[] {
  const { findings, ruleErrors } = computeDiff(left, right, { candidate: 'right', labels });
  expect(ruleErrors).toEqual([]);
  return findings;
}

/** One line for all, since nobody can read them: a change of one makes a finding in a baseline count as new. */
function hashedFingerprints(findings: readonly Finding[]): string {
  const all = findings.map(({ fingerprint, valueFingerprint }) => `${fingerprint} ${valueFingerprint}`);
  return `fingerprints: ${portableTextHash(all.join('\n')).slice(0, 16)}`;
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
  const all: Finding[] = [];
  const lefts = family.map((sketch) => envelopeOf('left', sketch));
  const rights = family.map((sketch) => envelopeOf('right', sketch));
  const texts = family.map(shown);
  const lines = family.flatMap((_left, from) =>
    family.flatMap((_right, to) => {
      if (from === to) return [];
      const findings = found(lefts.slice(from, from + 1), rights.slice(to, to + 1));
      all.push(...findings);
      return [`${texts[from]} → ${texts[to]}`, ...findings.map(brief)];
    }),
  );
  const file = name.replaceAll(' ', '-');
  await expect(`${[...lines, hashedFingerprints(all)].join('\n')}\n`).toMatchFileSnapshot(
    `${GOLDEN}/${file}.txt`,
  );
});

test.each(Object.keys(SAMPLED_FAMILIES))('%s', async (name) => {
  const family = SAMPLED_FAMILIES[name] ?? [];
  const side = (which: Side, sketches: readonly Sketch[]) =>
    sketches.map((sketch, at) => envelopeOf(which, sketch, at + 1));
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
  return JSON.stringify(sketch, (_key, value: unknown) => shortened(value ?? 'absent'))
    .replaceAll(/"(\w+)":/g, '$1: ')
    .slice(0, 160);
}

/** Long lists and texts by their beginning and length. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value) && value.length > 6) return [value[0], `… ${value.length}`];
  return typeof value === 'string' && value.length > 100 ? `${value.slice(0, 12)}… ${value.length}` : value;
}
