/** The reports of an audit for machines, read back by a tool for each format. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'junit2json';
import { describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/audits/index.js';
import { readFailOn } from '../../src/cli/audit/fail-on.js';
import { githubReport, junitReport, sarifReport } from '../../src/cli/audit/machine-reports.js';
import { sampleReport } from '../support/sample-report.js';

/** Text that a site may send to break out of any report format. */
const HOSTILE = '</testsuite>]]>&"\'\r\n::error::owned\u0000\u001b[31m%0A,:\ud800';

const report = sampleReport();
const hostile: AuditReport = {
  ...report,
  homeUrl: HOSTILE,
  stopped: HOSTILE,
  reading: { read: 1, blocked: 2, refused: 0, failed: 0, note: HOSTILE },
  rules: report.rules.map((rule) => ({
    ...rule,
    title: HOSTILE,
    reason: HOSTILE,
    fix: HOSTILE,
    issues: rule.issues.map((issue) => ({
      ...issue,
      url: HOSTILE,
      element: HOSTILE,
      observed: HOSTILE,
      expected: HOSTILE,
      also: [{ url: HOSTILE, line: 0 }],
    })),
  })),
};
const closed: AuditReport = {
  ...report,
  score: null,
  grade: null,
  reading: { read: 0, blocked: 3, refused: 0, failed: 0, note: 'Nothing of this site could be read.' },
};
/** A report with one finding per URL. */
function withUrls(urls: readonly string[]): AuditReport {
  const [rule] = report.rules;
  if (!rule) throw new Error('no rule');
  const issues = urls.map((url) => ({ level: 'fail', url, observed: 'o', expected: 'e' }) as const);
  return { ...report, rules: [{ ...rule, status: 'fail', issues, issueCount: urls.length }] };
}

type Result = { locations: [{ physicalLocation: { artifactLocation: { uri: string } } }] };
const uriOf = ({ locations: [first] }: Result) => first.physicalLocation.artifactLocation.uri;

const CASES = [
  ['a site with findings', report],
  ['hostile text', hostile],
  ['a site that is closed', closed],
] as const;

describe('SARIF', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../fixtures/sarif/sarif-2.1.0.json', import.meta.url), 'utf8'),
  );
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  const validate = ajv.compile(schema);

  test.each(CASES)('validates against its schema: %s', (_name, each) => {
    validate(JSON.parse(sarifReport(each)));
    expect(validate.errors ?? []).toEqual([]);
  });

  test('changes only what a URI must not contain', () => {
    const uris = [
      'http://[::1]:8080/a',
      'https://b.example/%2F?q=%C3%BC&x=[1]|2#c',
      'https://www.example.com/%zz',
    ];
    const [run] = JSON.parse(sarifReport(withUrls(uris))).runs;
    expect(run.results.map(uriOf)).toEqual([
      'http://[::1]:8080/a',
      'https://b.example/%2F?q=%C3%BC&x=%5B1%5D%7C2#c',
      '%25zz',
    ]);
  });

  test('names the rule, the place and the fault of the run', () => {
    const [run] = JSON.parse(sarifReport(closed)).runs;
    const [invocation] = run.invocations;
    expect(invocation).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ message: { text: 'Nothing of this site could be read.' } }],
    });
    const result = run.results.find(({ ruleId }: { ruleId: string }) => ruleId === 'img.alt');
    expect(run.tool.driver.rules[result.ruleIndex]).toMatchObject({ id: 'img.alt' });
    expect(result.locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: 'a', uriBaseId: 'SITE' },
      region: { startLine: expect.any(Number) },
    });
  });
});

test.each(CASES)('JUnit loads in a parser, and the counts add up: %s', async (_name, each) => {
  const loaded = await parse(junitReport(each, readFailOn('info')));
  if (!loaded || !('testsuite' in loaded)) throw new Error('no testsuites');
  const cases = (loaded.testsuite ?? []).flatMap((suite) => suite.testcase ?? []);
  const count = (kind: 'failure' | 'error' | 'skipped') =>
    cases.filter((one) => one[kind] !== undefined).length;
  expect({ ...loaded, testsuite: undefined }).toMatchObject({
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  });
  const isClosed = each.reading?.note !== undefined;
  expect(count('error')).toBe(isClosed ? 1 : 0);
  expect(count('failure')).toBeGreaterThan(0);
});

test.each(CASES)('GitHub annotations are one line each and cannot be forged: %s', (_name, each) => {
  const lines = githubReport(each).trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.every((line) => /^::(?:error|warning|notice) title=[^:,]*::/.test(line))).toBe(true);
});
