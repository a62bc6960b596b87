/** The report as Markdown, for pull requests and tickets. What came from a target stands in code spans. */
import type { RuleResult } from '../run-rules.js';
import type { AuditReport } from './audit-report.js';
import {
  CATEGORY_NAMES,
  findingsOf,
  gateSentence,
  plural,
  reachOf,
  SEVERITIES,
  verdictSentence,
} from './report-words.js';

/** Findings shown of one rule; the CSV has them all. */
const SHOWN = 10;

export function renderMarkdown(report: AuditReport): string {
  const lines = [
    `# ${report.score} / 100, grade ${report.grade}: ${code(report.homeUrl)}`,
    '',
    verdictSentence(report),
    '',
    ...report.gates.map((gate) => `- **${escapeText(gateSentence(gate))}** ${code(gate.url)}`),
    ...(report.gates.length > 0 ? [''] : []),
    ...categoryTable(report),
    ...SEVERITIES.flatMap(({ severity, name }) => section(name, findingsOf(report, severity))),
    ...listed(report, 'not-measured', 'Not measured'),
    ...listed(report, 'not-applicable', 'Not applicable'),
    ...listed(report, 'error', 'Rules that broke'),
    `Measured ${report.measuredAt} as ${code(report.crawl.userAgent)}: ${plural(report.counts.pages, 'page')}, ${plural(report.counts.checks, 'other URL')}. Recipe ${report.recipe}.`,
    '',
  ];
  return lines.join('\n');
}

function categoryTable({ categories }: AuditReport): string[] {
  const rows = categories
    .filter(({ score }) => score !== null)
    .map(({ category, score, weight }) => `| ${CATEGORY_NAMES[category]} | ${score} | ${weight} |`);
  return ['| Category | Score | Weight |', '|---|---:|---:|', ...rows, ''];
}

function section(name: string, rules: readonly RuleResult[]): string[] {
  return rules.length === 0 ? [] : [`## ${name}`, '', ...rules.flatMap(finding)];
}

function finding(rule: RuleResult): string[] {
  const shown = rule.issues.slice(0, SHOWN).map(({ url, line, element, observed, expected }) => {
    const place = `${code(url)}${line === undefined ? '' : ` line ${line}`}${element === undefined ? '' : ` ${code(element)}`}`;
    return `- ${place}: ${code(observed)}, expected ${escapeText(expected)}`;
  });
  const more = rule.issueCount - shown.length;
  return [
    `### ${escapeText(rule.title)} (${code(rule.id)})`,
    '',
    `${reachOf(rule)}. ${escapeText(rule.fix)}`,
    '',
    ...shown,
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
  ];
}

function listed({ rules }: AuditReport, status: RuleResult['status'], name: string): string[] {
  const own = rules.filter((rule) => rule.status === status);
  if (own.length === 0) return [];
  return [`## ${name}`, '', ...own.map(({ id, reason }) => `- ${code(id)}: ${escapeText(reason ?? '')}`), ''];
}

/** A code span whose fence is longer than any run of backticks inside (CommonMark §6.1). */
function code(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = flat.startsWith('`') || flat.endsWith('`') || flat === '' ? ' ' : '';
  return `${fence}${pad}${flat}${pad}${fence}`;
}

function escapeText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>#|]/g, (character) => `\\${character}`);
}
