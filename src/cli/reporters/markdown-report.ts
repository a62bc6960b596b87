/** Markdown for a pull request or a job summary: the verdict, a table of groups, and the rest in collapsed sections. */
import { excerptText, type FindingGroup, otherSide } from '../../compare/index.js';
import { codeSpan, markdownText } from '../../markdown-text.js';
import { oneLine } from '../../printable.js';
import {
  alsoText,
  type CompareReport,
  capitalize,
  countedText,
  coverageText,
  findingDocsUrl,
  groupsOf,
  sentenceOf,
  shownValue,
  tallyOf,
  truncate,
  whereText,
} from '../compare/compare-report.js';

const MARKS = { critical: '🔴 critical', warn: '🟡 warn', info: '🔵 info' } as const;
const VERDICTS = {
  pass: '✅ pass',
  warn: '🟡 warn',
  fail: '🔴 fail',
  inconclusive: '⚪ inconclusive',
} as const;
const ROWS_MAX = 100;
const PATHS_MAX = 100;
const ACTIONS_MAX = 5;

export function markdownReport(report: CompareReport): string {
  const groups = groupsOf(report);
  const lines = [
    `## Sonde: ${VERDICTS[report.verdict]}`,
    '',
    `${capitalize(cell(sentenceOf(report)))}. ${code(report.leftUrl)} against ${code(report.rightUrl)}.`,
    '',
    tallyLine(report),
    '',
    ...tableOf(groups, report),
    ...groups.filter(({ paths }) => paths.length > 1).flatMap(pathLines),
    ...groups.flatMap((group) => excerptLines(group, report)),
    ...actionLines(groups),
    ...baselineLines(report),
    ...report.notes.map((note) => `- ${cell(note)}`),
    '',
    cell(coverageText(report)),
  ];
  return `${lines
    .map(oneLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

function tallyLine(report: CompareReport): string {
  const { passed, aside } = tallyOf(report);
  const paths = report.pairs.length > 1 ? ` · ${passed} of ${report.pairs.length} paths pass` : '';
  const hidden = Object.entries(aside).filter(([, count]) => count > 0);
  const notCounted =
    hidden.length === 0
      ? ''
      : ` · not counted: ${hidden.map(([why, count]) => `${count} ${why}`).join(', ')}`;
  return `${countedText(report)}${paths}${notCounted}`;
}

function tableOf(groups: readonly FindingGroup[], report: CompareReport): string[] {
  if (groups.length === 0) return [];
  const rows = groups.slice(0, ROWS_MAX).map((group) => {
    const { severity, code: id, message, example, effect } = group;
    const also = alsoText(group);
    const mark = effect === 'improvement' ? '🔵 improved' : MARKS[severity];
    const text = `[**${id}**](${findingDocsUrl(id)})<br>${cell(message)}${also === '' ? '' : `<br>${cell(also)}`}`;
    const where = whereText(group) === '' ? code(group.paths[0] ?? '') : cell(whereText(group));
    return `| ${mark} | ${where} | ${text} | ${code(shownValue(example.left_value))} | ${code(shownValue(example.right_value))} |`;
  });
  const more = groups.length - ROWS_MAX;
  return [
    `| | where | finding | ${cell(report.leftLabel)} | ${cell(report.rightLabel)} |`,
    '|---|---|---|---|---|',
    ...rows,
    ...(more > 0 ? ['', `and ${more} more kinds of findings, in the JSON report`] : []),
    '',
  ];
}

function pathLines({ code: id, paths }: FindingGroup): string[] {
  const more = paths.length - PATHS_MAX;
  const list = paths.slice(0, PATHS_MAX).map(code).join(', ');
  const summary = `${id} on ${paths.length} paths`;
  return [
    '',
    `<details><summary>${summary}</summary>`,
    '',
    `${list}${more > 0 ? ` and ${more} more` : ''}`,
    '',
    '</details>',
  ];
}

function excerptLines(
  { code: id, example }: FindingGroup,
  { candidate, leftLabel, rightLabel }: CompareReport,
): string[] {
  if (!example.excerpt) return [];
  const names = { left: leftLabel, right: rightLabel };
  const legend = `\`[-…-]\` only on ${cell(names[otherSide(candidate)])}, \`{+…+}\` only on ${cell(names[candidate])}`;
  const lines = example.excerpt.map((line) => `> ${cell(excerptText(line, candidate), EXCERPT_CHARS)}`);
  return ['', `**${id}**: ${legend}`, '', ...lines];
}

const EXCERPT_CHARS = 400;

function actionLines(groups: readonly FindingGroup[]): string[] {
  const actions = groups
    .filter(({ severity }) => severity !== 'info')
    .flatMap(({ code: id, example }) =>
      example.recommendations.map((text) => `- ${cell(text, 400)} (${id})`),
    );
  return actions.length === 0
    ? []
    : ['', '**What to do**', '', ...new Set(actions.slice(0, ACTIONS_MAX)), ''];
}

function baselineLines({ baseline }: CompareReport): string[] {
  if (!baseline) return [];
  const { file, hidden, gone } = baseline;
  return [
    '',
    `The baseline ${code(file)} hides ${hidden} ${hidden === 1 ? 'finding' : 'findings'}.`,
    ...(gone.length > 0 ? ['', `${gone.length} of its entries no longer occur:`, ''] : []),
    ...gone.slice(0, ROWS_MAX).map(({ path, code: id }) => `- ${id} on ${code(path)}`),
    '',
  ];
}

function cell(text: string, max = 160): string {
  return markdownText(truncate(text, max));
}

function code(text: string): string {
  return codeSpan(truncate(text, 160).replaceAll('|', '\\|'));
}
