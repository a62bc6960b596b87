/**
 * Renders every place of every finding as a CSV row (RFC 4180). Spreadsheets treat a cell that begins with =, +, -, @,
 * tab or return as a formula, and text from a target must not run there, so such a cell is prefixed with an apostrophe.
 * Where ; | or tab separates columns, quotes inside a field do not hold it together, so the same is done after those.
 * If a rule found more than the report keeps, a last row says how many are missing.
 */
import { printable } from '../../printable.js';
import { pageCount, placesOf } from '../tally.js';
import type { AuditReport, Issue, RuleResult } from './audit-report.js';

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
  return [...csvPieces(report)].join('');
}

/** What the places of a finding share is written once for all of them. */
export function* csvPieces(report: AuditReport): Generator<string> {
  yield lineOf(COLUMNS) + readingRow(report).map(lineOf).join('');
  for (const rule of report.rules) {
    for (const issue of rule.issues) yield* linesOf(rule, issue);
    yield cutRow(rule).map(lineOf).join('');
  }
}

/** Lines per piece. */
const LINES = 200;

function* linesOf({ id, category, severity, fix }: RuleResult, issue: Issue): Generator<string> {
  const before = lineParts([id, category, severity, issue.level]);
  const after = lineParts([
    ...[issue.element ?? '', issue.observed, issue.expected, fix],
    ...[String(pageCount(issue)), (issue.related ?? []).join(' ')],
  ]);
  const places = placesOf(issue);
  for (let from = 0; from < places.length; from += LINES) {
    yield places
      .slice(from, from + LINES)
      .map(({ url, line }) => `${before},${cell(url)},${line === undefined ? '' : line},${after}\r\n`)
      .join('');
  }
}

function lineOf(row: readonly string[]): string {
  return `${lineParts(row)}\r\n`;
}

function lineParts(cells: readonly string[]): string {
  return cells.map(cell).join(',');
}

/** If little of the site could be read, the first row says so. */
function readingRow({ reading, homeUrl }: AuditReport): string[][] {
  return reading?.note === undefined ? [] : [['audit', '', '', '', homeUrl, '', '', reading.note]];
}

function cutRow({ id, category, severity, issues, placeCount }: RuleResult): string[][] {
  const missing = (placeCount ?? 0) - issues.reduce((sum, issue) => sum + placesOf(issue).length, 0);
  if (missing <= 0) return [];
  const observed = `${missing} more, not included because of the report's size limit`;
  return [[id, category, severity, '', '', '', '', observed]];
}

const FORMULA_STARTS: ReadonlySet<string> = new Set('=+-@\uff1d\uff0b\uff0d\uff20');

function cell(text: string): string {
  const value = printable(text);
  const safe = (/^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/.test(value) ? `'${value}` : value).replaceAll(
    /["\s;|]+/g,
    (run, at: number, whole: string) =>
      /[;|\t\r\n]/.test(run) && FORMULA_STARTS.has(whole.charAt(at + run.length)) ? `${run}'` : run,
  );
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
