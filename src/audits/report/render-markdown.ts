/** Renders the report as Markdown, for pull requests and tickets. Text from the target is in code spans. */
import { codeSpan, markdownText } from '../../markdown-text.js';
import { oneLine, printable } from '../../printable.js';
import { CATEGORY_NAMES } from '../rule.js';
import type { AuditReport, Issue, RuleResult } from './audit-report.js';
import {
  findingsOf,
  fixesSentence,
  gateSentence,
  goneLines,
  hiddenSentence,
  plural,
  reachOf,
  SEVERITIES,
  scoreText,
  spreadOf,
  stoppedSentence,
  verdictSentence,
} from './report-words.js';
import { ruleDocsUrl } from './rule-docs.js';

/** Findings shown per rule; JSON and CSV contain all of them. */
const SHOWN = 10;

export function renderMarkdown(report: AuditReport): string {
  const lines = [
    `# ${scoreText(report)}: ${codeSpan(report.homeUrl)}`,
    '',
    ...(report.reading?.note === undefined ? [] : [`**${markdownText(report.reading.note)}**`, '']),
    [stoppedSentence(report), verdictSentence(report), fixesSentence(report), hiddenSentence(report)]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    '',
    ...report.gates.map((gate) => `- **${markdownText(gateSentence(gate))}** ${codeSpan(gate.url)}`),
    ...(report.gates.length > 0 ? [''] : []),
    ...categoryTable(report),
    ...SEVERITIES.flatMap(({ severity, name }) => section(name, findingsOf(report, severity))),
    ...listed(report, 'not-measured', 'Not measured'),
    ...listed(report, 'not-applicable', 'Not applicable'),
    ...listed(report, 'error', 'Rules that failed to run'),
    ...goneSection(report),
    `Measured ${report.measuredAt} as ${codeSpan(report.crawl.userAgent)}: ${plural(report.counts.pages, 'page')}, ${plural(report.counts.checks, 'other URL')}. Recipe ${report.recipe}.`,
    '',
  ];
  return printable(lines.map(oneLine).join('\n'));
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
  const shown = rule.issues.slice(0, SHOWN);
  const more = rule.issueCount - shown.length;
  const about = [reachOf(rule), rule.fix, rule.reason ?? ''].filter((text) => text !== '');
  return [
    `### ${markdownText(rule.title)} ([${codeSpan(rule.id)}](${ruleDocsUrl(rule.id)}))`,
    '',
    about.map((text) => `${markdownText(text.replace(/\.$/, ''))}.`).join(' '),
    '',
    ...shown.map(item),
    ...(more > 0 ? [`- and ${more} more, in the JSON and CSV reports`] : []),
    '',
  ];
}

function item(issue: Issue): string {
  const { url, line, element, observed, expected } = issue;
  const place = [
    codeSpan(url),
    line === undefined ? '' : `line ${line}`,
    element === undefined ? '' : codeSpan(element),
    spreadOf(issue),
  ].filter((part) => part !== '');
  return `- ${place.join(' ')}: ${codeSpan(observed)}, expected ${markdownText(expected)}`;
}

function goneSection(report: AuditReport): string[] {
  const gone = goneLines(report);
  if (gone.length === 0) return [];
  return ['## In the baseline, but no longer found', '', ...gone.map((line) => `- ${codeSpan(line)}`), ''];
}

function listed({ rules }: AuditReport, status: RuleResult['status'], name: string): string[] {
  const own = rules.filter((rule) => rule.status === status);
  if (own.length === 0) return [];
  return [
    `## ${name}`,
    '',
    ...own.map(({ id, reason }) => `- ${codeSpan(id)}: ${markdownText(reason ?? '')}`),
    '',
  ];
}
