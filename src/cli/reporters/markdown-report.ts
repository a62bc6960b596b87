/** Markdown for a pull request or a job summary: verdict, a table of what counts, the rest folded away. */
import { type CompareReport, counts, type ReportedPair, shownValue } from '../compare/compare-report.js';

const MARKS = { critical: '🔴 critical', warn: '🟡 warn', info: '🔵 info' } as const;
const VERDICTS = {
  pass: '✅ pass',
  warn: '🟡 warn',
  fail: '🔴 fail',
  inconclusive: '⚪ inconclusive',
} as const;
const ROWS_MAX = 200;

export function markdownReport(report: CompareReport): string {
  const lines = [
    `## Sonde: ${VERDICTS[report.verdict]}`,
    '',
    `${code(report.leftLabel)} against ${code(report.rightLabel)}${report.pairs.length > 1 ? `, ${report.pairs.length} paths` : ''}`,
    '',
  ];
  const rows = [
    ...report.suiteFindings.filter(counts).map((finding) => ({ name: 'suite', finding })),
    ...report.pairs.flatMap(({ name, diff }) =>
      diff.findings.filter(counts).map((finding) => ({ name, finding })),
    ),
  ];
  if (rows.length > 0) {
    lines.push(
      `| | where | finding | ${cell(report.leftLabel)} | ${cell(report.rightLabel)} |`,
      '|---|---|---|---|---|',
    );
    for (const { name, finding } of rows.slice(0, ROWS_MAX)) {
      const { severity, code: id, message, left_value, right_value } = finding;
      lines.push(
        `| ${MARKS[severity]} | ${code(name)} | **${id}**<br>${cell(message)} | ${code(shownValue(left_value))} | ${code(shownValue(right_value))} |`,
      );
    }
    if (rows.length > ROWS_MAX) lines.push('', `and ${rows.length - ROWS_MAX} more findings`);
    lines.push('');
  }
  for (const pair of report.pairs) lines.push(...pairLines(pair, report.pairs.length > 1));
  for (const note of report.notes) lines.push(`- ${cell(note)}`);
  return `${lines.join('\n').trimEnd()}\n`;
}

function pairLines({ name, diff, explanation }: ReportedPair, many: boolean): string[] {
  if (diff.verdict === 'pass') return [];
  const lines = [
    `<details><summary>${many ? `${cell(name)}: ` : ''}${cell(explanation.summary)}</summary>`,
    '',
    ...explanation.ranked_causes.map(
      ({ cause, confidence }) => `- ${Math.round(confidence * 100)} % — ${cell(cause)}`,
    ),
    ...(explanation.actions.length > 0 ? ['', '**What to do**', ''] : []),
    ...explanation.actions.map(({ action }) => `- ${cell(action)}`),
  ];
  if (diff.redirects?.chainChanged) {
    lines.push('', '**Redirects**', '', '| left | right |', '|---|---|');
    const { left, right } = diff.redirects;
    for (let row = 0; row < Math.max(left.length, right.length); row += 1) {
      const text = [left[row], right[row]].map((hop) => (hop ? code(`${hop.status} → ${hop.toUrl}`) : ''));
      lines.push(`| ${text.join(' | ')} |`);
    }
  }
  return [...lines, '', '</details>', ''];
}

/** Markup of a stranger must not become ours: neither a table's bar, nor a tag, nor a link. */
function cell(text: string): string {
  return cut(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>|#!]/g, '\\$&');
}

function code(text: string): string {
  const flat = cut(text).replace(/\s+/g, ' ').replaceAll('|', '\\|');
  const fence = '`'.repeat(1 + Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length)));
  return fence.length > 1 ? `${fence} ${flat} ${fence}` : `${fence}${flat}${fence}`;
}

function cut(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
