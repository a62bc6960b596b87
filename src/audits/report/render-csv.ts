/**
 * Every issue as a row (RFC 4180). A spreadsheet takes a cell that begins with =, +, -, @, tab or return for a
 * formula; what a target wrote must not run there, so such a cell gets an apostrophe in front.
 */
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
  'related',
] as const;

export function renderCsv(report: AuditReport): string {
  const rows = report.rules.flatMap((rule) =>
    rule.issues.map((issue) => [
      ...[rule.id, rule.category, rule.severity, issue.level, issue.url],
      issue.line === undefined ? '' : String(issue.line),
      ...[issue.element ?? '', issue.observed, issue.expected, rule.fix, (issue.related ?? []).join(' ')],
    ]),
  );
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
