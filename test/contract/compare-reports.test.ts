/** Every report of one real comparison, read back by a tool for its format. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'junit2json';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CompareReport } from '../../src/cli/compare/compare-report.js';
import { githubReport, junitReport, sarifReport } from '../../src/cli/compare/machine-reports.js';
import { htmlReport } from '../../src/cli/reporters/html-report.js';
import { jsonReport } from '../../src/cli/reporters/json-report.js';
import { markdownReport } from '../../src/cli/reporters/markdown-report.js';
import { prettyReport, sideBySide } from '../../src/cli/reporters/pretty-report.js';
import { readReporters } from '../../src/cli/reporters/reporter-choice.js';
import { REPORTER_NAMES } from '../../src/cli/reporters/write-reports.js';
import type { Finding } from '../../src/compare/index.js';
import { readEnvelope } from '../../src/probe/index.js';
import { demoReport } from '../support/demo-report.js';

let report: CompareReport;
let hostile: CompareReport;
beforeAll(async () => {
  report = await demoReport();
  hostile = withHostileText(report);
});

/** Text that a site may send to break out of any report format. */
const HOSTILE =
  '</script><img src=x onerror=alert(1)>|`](javascript:1)\r\n::error::owned\u0000\u001b[31m]]>&"\'';

function withHostileText(from: CompareReport): CompareReport {
  const spoil = (finding: Finding): Finding => ({
    ...finding,
    message: HOSTILE,
    left_value: HOSTILE,
    right_value: [HOSTILE],
  });
  const pairs = from.pairs.map((pair) => ({
    ...pair,
    name: `/${HOSTILE}`,
    diff: { ...pair.diff, findings: pair.diff.findings.map(spoil) },
    explanation: { ...pair.explanation, summary: HOSTILE },
  }));
  return { ...from, pairs, leftLabel: HOSTILE };
}

describe('SARIF', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../fixtures/sarif/sarif-2.1.0.json', import.meta.url), 'utf8'),
  );
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  const validate = ajv.compile(schema);

  test.each([
    ['a real run', () => report],
    ['hostile text', () => hostile],
    [
      'a run without findings',
      () => ({ ...report, pairs: report.pairs.filter(({ name }) => name === '/health') }),
    ],
  ])('validates against its schema: %s', (_name, pick) => {
    const valid = validate(JSON.parse(sarifReport(pick())));
    expect(validate.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  test('includes level, fingerprint and location of each finding', () => {
    const { runs } = JSON.parse(sarifReport(report));
    const leak = runs[0].results.find(({ ruleId }: { ruleId: string }) => ruleId === 'JSON_SHAPE_DRIFT');
    expect(leak).toMatchObject({
      level: 'error',
      partialFingerprints: { 'sondeFinding/v1': expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(leak.locations[0].physicalLocation.artifactLocation.uri).toBe('api/products');
    expect(runs[0].tool.driver.rules[leak.ruleIndex].id).toBe('JSON_SHAPE_DRIFT');
  });
});

describe('JUnit', () => {
  test.each([
    ['a real run', () => report],
    ['hostile text', () => hostile],
  ])('loads in a JUnit parser, and the counts add up: %s', async (_name, pick) => {
    const loaded = await parse(junitReport(pick()));
    if (!loaded || !('testsuite' in loaded)) throw new Error('no testsuites');
    const suites = loaded.testsuite ?? [];
    expect(suites).toHaveLength(5);
    const cases = suites.flatMap((suite) => suite.testcase ?? []);
    expect(loaded.tests).toBe(cases.length);
    expect(loaded.failures).toBe(cases.filter(({ failure }) => failure !== undefined).length);
    expect(loaded.failures).toBe(report.pairs.reduce((sum, { diff }) => sum + diff.counts.critical, 0));
  });

  test('reports warnings as failures when they fail the run', async () => {
    const loaded = await parse(junitReport({ ...report, failOn: 'warn' }));
    const expected = report.pairs.reduce((sum, { diff }) => sum + diff.counts.critical + diff.counts.warn, 0);
    expect(loaded && 'failures' in loaded && loaded.failures).toBe(expected);
  });
});

test('JSON contains diffs and envelopes that survive a round trip', () => {
  const { comparisons, verdict } = JSON.parse(jsonReport(report));
  expect(verdict).toBe('fail');
  expect(comparisons).toHaveLength(5);
  for (const { left, right, diff } of comparisons) {
    expect(readEnvelope(left, 'left').side).toBe('left');
    expect(readEnvelope(right, 'right').side).toBe('right');
    expect(diff.schemaVersion).toBe(1);
  }
});

test('the pretty report shows changed values and redirect chains side by side, verdict first', () => {
  const text = prettyReport(report, { paint: (_meaning, word) => word, columns: 100, all: true });
  expect(text).toMatch(/^✗ fail {2}staging differs from production/);
  expect(text).toMatch(/private, no-store +│ public, max-age=600/);
  expect(text).toMatch(/Redirects\n {2}302 → \S+\/shop +│ 301 → \S+\//);
  expect(text).toContain('Start with');
});

test('the pretty report drops control characters sent by a site', () => {
  const text = prettyReport(hostile, { paint: (_meaning, word) => word, columns: 100 });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test('columns wrap within their width and stay on their side', () => {
  expect(sideBySide('aaaaaaaaaaaabbb', 'c', 27)).toEqual(['aaaaaaaaaaaa │ c', 'bbb          │']);
});

test('Markdown keeps text from a site in its cell', () => {
  const text = markdownReport(hostile);
  expect(markdownReport(report)).toMatch(/^## Sonde: 🔴 fail\n/);
  const unescaped = text.replace(/\\[\\`*_{}[\]<>|#!]/g, '');
  const prose = unescaped.replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
  expect(prose).not.toContain('<img');
  for (const line of text.split('\n').filter((each) => each.startsWith('| 🔴'))) {
    expect(line.replaceAll('\\|', '').match(/\|/g)).toHaveLength(6);
  }
});

test('HTML escapes everything', () => {
  expect(htmlReport(hostile)).not.toMatch(/<img|<script/);
});

test('GitHub annotations are one line each and cannot be forged', () => {
  const lines = githubReport(hostile).trimEnd().split('\n');
  expect(lines.every((line) => /^::(?:error|warning|notice) title=/.test(line))).toBe(true);
  expect(githubReport(report)).toMatch(/^::error title=[A-Z_]+ on 1 of 5 paths%3A \//);
});

describe('-r', () => {
  test('accepts report names with files, in one argument or several', () => {
    expect(readReporters(REPORTER_NAMES, ['pretty,json=a.json', 'md=b.md'])).toEqual([
      { name: 'pretty' },
      { name: 'json', file: 'a.json' },
      { name: 'md', file: 'b.md' },
    ]);
  });

  test.each([['prety'], ['json='], ['md,html'], ['']])('refuses %s', (text) => {
    expect(() => readReporters(REPORTER_NAMES, [text])).toThrow(/-r /);
  });
});
