/** Annotations for GitHub's runner, which reads them from stdout: costliest rules first, text of the target escaped. */
import { type AuditReport, findingsOf, type RuleResult, SEVERITIES, spreadOf } from '../../audits/index.js';
import { escapeData, escapeProperty } from '../reporters/escape-github.js';

const COMMANDS = { error: 'error', warn: 'warning', info: 'notice' } as const;
/** GitHub shows ten annotations of a kind per step; more only fill the log. */
const ANNOTATIONS_MAX = 50;
const FINDINGS_SHOWN = 5;

export function githubReport(report: AuditReport): string {
  const rules = SEVERITIES.flatMap(({ severity }) => findingsOf(report, severity));
  const lines = rules.slice(0, ANNOTATIONS_MAX).map(annotation);
  if (report.stopped !== undefined)
    lines.unshift(
      `::warning title=Sonde::${escapeData(`The audit was ${report.stopped}; this report is partial.`)}`,
    );
  if (report.reading?.note !== undefined)
    lines.unshift(`::error title=Sonde::${escapeData(report.reading.note)}`);
  const more = rules.length - ANNOTATIONS_MAX;
  if (more > 0) lines.push(`::notice title=Sonde::${escapeData(`${more} more rules have findings.`)}`);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function annotation({ id, title, severity, issues, issueCount, fix }: RuleResult): string {
  const shown = issues.slice(0, FINDINGS_SHOWN).map((issue) => {
    const place = issue.line === undefined ? issue.url : `${issue.url}:${issue.line}`;
    return `${place} ${issue.observed} ${spreadOf(issue)}`.trimEnd();
  });
  const more = issueCount - shown.length;
  const text = [...shown, ...(more > 0 ? [`and ${more} more`] : []), `Fix: ${fix}`].join('\n');
  return `::${COMMANDS[severity]} title=${escapeProperty(`${title} (${id})`)}::${escapeData(text)}`;
}
