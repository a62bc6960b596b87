/**
 * JUnit XML: one suite per path, one case per finding. Findings that fail the run under `--fail-on` are failures,
 * findings that do not count are skipped, an inconclusive path is an error, and every other path has a passing case.
 */
import { counts, type Finding, isNoise } from '../../compare/index.js';
import { type CompareReport, fails, type ReportedPair, shownValue } from '../compare/compare-report.js';
import { escapeXml } from './escape-xml.js';

interface Suite {
  readonly name: string;
  readonly seconds: number;
  readonly cases: readonly string[];
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

export function junitReport(report: CompareReport): string {
  const suites = [
    ...(report.suiteFindings.length > 0 ? [suiteOf('suite', report.suiteFindings, report)] : []),
    ...report.pairs.map((pair) => pairSuite(pair, report)),
  ];
  const sum = (pick: (suite: Suite) => number): number =>
    suites.reduce((total, suite) => total + pick(suite), 0);
  const totals = `tests="${sum(({ cases }) => cases.length)}" failures="${sum((s) => s.failures)}" errors="${sum((s) => s.errors)}" skipped="${sum((s) => s.skipped)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="sonde compare" ${totals} time="${seconds(report.durationMs)}">`,
    ...suites.map((suite) => suiteXml(suite, report.startedAt)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteOf(name: string, findings: readonly Finding[], report: CompareReport): Suite {
  return {
    name,
    seconds: 0,
    cases: findings.map((finding) => caseXml(name, finding, report)),
    failures: findings.filter((finding) => fails(finding, report.failOn)).length,
    errors: 0,
    skipped: findings.filter((finding) => !counts(finding)).length,
  };
}

function pairSuite({ name, diff, left, right }: ReportedPair, report: CompareReport): Suite {
  const suite = suiteOf(name, diff.findings, report);
  const ms = (left.result.durationMs ?? 0) + (right.result.durationMs ?? 0);
  const isInconclusive = diff.verdict === 'inconclusive';
  const judged = isInconclusive
    ? `<testcase ${attributes(name, 'judgement')}><error message="${escapeXml(diff.verdictReasons.join('; '))}" type="inconclusive"/></testcase>`
    : `<testcase ${attributes(name, 'judgement')}/>`;
  return {
    ...suite,
    seconds: ms / 1000,
    cases: [judged, ...suite.cases],
    errors: isInconclusive ? 1 : 0,
  };
}

function caseXml(name: string, finding: Finding, { failOn, leftLabel, rightLabel }: CompareReport): string {
  const open = `<testcase ${attributes(name, finding.id)}`;
  if (!counts(finding)) {
    const explained =
      finding.explainedBy === undefined ? finding.status : `explained by ${finding.explainedBy}`;
    const why = isNoise(finding) ? 'noisy' : explained;
    return `${open}><skipped message="${escapeXml(why)}"/></testcase>`;
  }
  const text = [
    finding.message,
    `${leftLabel}: ${shownValue(finding.left_value)}`,
    `${rightLabel}: ${shownValue(finding.right_value)}`,
    ...finding.recommendations,
  ].join('\n');
  if (!fails(finding, failOn)) return `${open}><system-out>${escapeXml(text)}</system-out></testcase>`;
  const about = `message="${escapeXml(finding.message)}" type="${finding.severity}"`;
  return `${open}><failure ${about}>${escapeXml(text)}</failure></testcase>`;
}

function attributes(suite: string, name: string): string {
  return `classname="${escapeXml(`sonde.compare.${suite}`)}" name="${escapeXml(name)}" time="0"`;
}

function suiteXml(
  { name, cases, failures, errors, skipped, seconds: took }: Suite,
  startedAt: string,
): string {
  const totals = `tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
  const about = `name="${escapeXml(name)}" ${totals} time="${took.toFixed(3)}" timestamp="${escapeXml(startedAt.slice(0, 19))}"`;
  return [`  <testsuite ${about}>`, ...cases.map((each) => `    ${each}`), '  </testsuite>'].join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
