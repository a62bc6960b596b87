/**
 * Renders every place of every finding as a CSV row (RFC 4180). Spreadsheets treat a cell that begins with =, +, -, @,
 * tab or return as a formula, and text from a target must not run there, so such a cell is prefixed with an apostrophe.
 * If a rule found more than the report keeps, a last row says how many are missing.
 */
import type { RuleResult } from '../run-rules.js';
import { pageCount, placesOf } from '../tally.js';
import type { AuditReport } from './audit-report.js';

const COLUMNS = [
  'rule',
  'category',
  'severity',
  'level',
  'url',
  'line',
  'element',
  'observed',
  'expected',
  'fix',
  'pages',
  'related',
] as const;

export function renderCsv(report: AuditReport): string {
  const rows = [...readingRow(report), ...report.rules.flatMap((rule) => [...rowsOf(rule), ...cutRow(rule)])];
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** If little of the site could be read, the first row says so. */
function readingRow({ reading, homeUrl }: AuditReport): string[][] {
  return reading?.note === undefined ? [] : [['audit', '', '', '', homeUrl, '', '', reading.note]];
}

function rowsOf({ id, category, severity, fix, issues }: RuleResult): string[][] {
  return issues.flatMap((issue) =>
    placesOf(issue).map(({ url, line }) => [
      ...[id, category, severity, issue.level, url, line === undefined ? '' : String(line)],
      ...[issue.element ?? '', issue.observed, issue.expected, fix],
      ...[String(pageCount(issue)), (issue.related ?? []).join(' ')],
    ]),
  );
}

function cutRow({ id, category, severity, issues, placeCount }: RuleResult): string[][] {
  const missing = (placeCount ?? 0) - issues.reduce((sum, issue) => sum + placesOf(issue).length, 0);
  if (missing <= 0) return [];
  const observed = `${missing} more, not included because of the report's size limit`;
  return [[id, category, severity, '', '', '', '', observed]];
}

function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
