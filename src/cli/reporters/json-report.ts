/** The whole run for programs: envelopes, diffs, explanations. Saved envelopes can be read again by `--from`. */
import type { CompareReport } from '../compare/compare-report.js';

export function jsonReport(report: CompareReport): string {
  const { pairs, ...rest } = report;
  const comparisons = pairs.map(({ name, left, right, diff, explanation, explanationFault }) => ({
    name,
    diff,
    explanation,
    ...(explanationFault !== undefined && { explanationError: explanationFault }),
    left,
    right,
  }));
  return `${JSON.stringify({ schemaVersion: 1, ...rest, comparisons })}\n`;
}
