/** Annotations as GitHub's runner reads them from stdout. Foreign text is escaped, so that it cannot command. */
import { allFindings, type CompareReport, counts, shownValue } from '../compare/compare-report.js';

const COMMANDS = { critical: 'error', warn: 'warning', info: 'notice' } as const;
/** GitHub shows ten annotations of a kind for a step; more only fill the log. */
const ANNOTATIONS_MAX = 50;

export function githubReport(report: CompareReport): string {
  const { leftLabel, rightLabel } = report;
  const lines = [...allFindings(report)]
    .filter(({ finding }) => counts(finding))
    .slice(0, ANNOTATIONS_MAX)
    .map(({ name, finding }) => {
      const title = property(`${finding.code} ${name}`);
      const text = `${finding.message}\n${leftLabel}: ${shownValue(finding.left_value)}\n${rightLabel}: ${shownValue(finding.right_value)}`;
      return `::${COMMANDS[finding.severity]} title=${title}::${data(text)}`;
    });
  if (report.verdict === 'inconclusive')
    lines.unshift(`::warning title=Sonde::${data('The comparison is inconclusive.')}`);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
