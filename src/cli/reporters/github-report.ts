/**
 * Annotations for GitHub's runner, which reads them from stdout: one per group of findings, worst first, up to a limit
 * and a line with the number of the rest. Info findings are not listed. Text from a site is escaped, so that it cannot
 * issue commands.
 */
import {
  alsoText,
  type CompareReport,
  groupsOf,
  sentenceOf,
  shownValue,
  whereText,
} from '../compare/compare-report.js';
import { escapeData, escapeProperty } from './escape-github.js';

const COMMANDS = { critical: 'error', warn: 'warning', info: 'notice' } as const;
/** GitHub shows ten annotations of a kind per step; more only fill the log. */
const ANNOTATIONS_MAX = 20;
const PATHS_MAX = 10;

export function githubReport(report: CompareReport): string {
  const groups = groupsOf(report).filter(({ severity }) => severity !== 'info');
  const { leftLabel, rightLabel } = report;
  const lines = groups.slice(0, ANNOTATIONS_MAX).map((group) => {
    const { code, severity, message, example, paths, of } = group;
    const where = whereText(group);
    const more = paths.length > PATHS_MAX ? ` and ${paths.length - PATHS_MAX} more` : '';
    const text = [
      message,
      `${leftLabel}: ${shownValue(example.left_value)}`,
      `${rightLabel}: ${shownValue(example.right_value)}`,
      ...(of > 1 && paths.length > 1 ? [`Paths: ${paths.slice(0, PATHS_MAX).join(', ')}${more}`] : []),
      alsoText(group),
    ].filter((line) => line !== '');
    const title = where === '' ? `${code} ${paths[0] ?? ''}` : `${code} ${where}`;
    return `::${COMMANDS[severity]} title=${escapeProperty(title)}::${escapeData(text.join('\n'))}`;
  });
  const left = groups.length - ANNOTATIONS_MAX;
  if (left > 0) lines.push(notice(`${left} more kinds of findings are in the report.`));
  if (report.verdict === 'inconclusive' || report.interruptedOf !== undefined) {
    lines.unshift(`::warning title=Sonde::${escapeData(sentenceOf(report))}`);
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function notice(text: string): string {
  return `::notice title=Sonde::${escapeData(text)}`;
}
