/**
 * The complete run for programs: groups across paths, and every comparison with its findings, explanation and
 * envelopes. `--from` can read the envelopes again. Measured numbers have two decimals.
 */
import {
  type CompareReport,
  coverageText,
  groupsOf,
  sentenceOf,
  tallyOf,
} from '../compare/compare-report.js';

export function jsonReport(report: CompareReport): string {
  const { pairs, ...rest } = report;
  const groups = groupsOf(report).map(({ example, paths, ...group }) => ({
    ...group,
    count: paths.length,
    paths,
    example: example.id,
    fingerprint: example.fingerprint,
  }));
  const comparisons = pairs.map(({ name, left, right, diff, explanation, explanationFault }) => ({
    name,
    diff,
    explanation,
    ...(explanationFault !== undefined && { explanationError: explanationFault }),
    left,
    right,
  }));
  const summary = { sentence: sentenceOf(report), coverage: coverageText(report), tally: tallyOf(report) };
  return `${JSON.stringify({ schemaVersion: 1, ...rest, summary, groups, comparisons }, roundNumber)}\n`;
}

function roundNumber(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Math.round(value * 100) / 100 : value;
}
