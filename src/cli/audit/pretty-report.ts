/** The report for a terminal: verdict, reasons by severity, what was left out, what to do next. */
import type { AuditReport } from '../../audits/index.js';
import type { Paint } from '../paint.js';

const SHOWN = 3;
const MEANINGS = { error: 'critical', warn: 'warn', info: 'info' } as const;

export async function prettyReport(report: AuditReport, paint: Paint, target: string): Promise<string> {
  const words = await import('../../audits/index.js');
  const { score, grade, homeUrl, gates, rules, counts } = report;
  const meaning = score >= 90 ? 'pass' : score >= 70 ? 'warn' : 'critical';
  const lines = [
    `${paint(meaning, `${score} / 100, grade ${grade}`)}  ${printable(homeUrl)}`,
    `  ${words.verdictSentence(report)}`,
    ...gates.map((gate) => `  ${paint('critical', words.gateSentence(gate))} ${printable(gate.url)}`),
  ];
  for (const { severity, name, shape } of words.SEVERITIES) {
    const findings = words.findingsOf(report, severity);
    if (findings.length === 0) continue;
    lines.push('', paint('strong', `${name} (${findings.length})`));
    for (const rule of findings) {
      lines.push(
        `${paint(MEANINGS[severity], `${shape} ${rule.id}`)}  ${rule.title}: ${words.reachOf(rule)}`,
      );
      lines.push(...findingLines(rule, paint));
    }
  }
  const unmeasured = rules.filter(({ status }) => status === 'not-measured' || status === 'error');
  if (unmeasured.length > 0)
    lines.push('', `${paint('muted', 'Not measured')}  ${unmeasured.map(({ id }) => id).join(', ')}`);
  const findings = counts.failed + counts.warned;
  const next =
    findings === 0
      ? 'Nothing to do.'
      : `Next: sonde audit ${printable(target)} -r html=report.html,csv=issues.csv for every finding.`;
  return [...lines, '', next].join('\n');
}

function findingLines({ issues, issueCount, fix }: AuditReport['rules'][number], paint: Paint): string[] {
  return [
    ...issues.slice(0, SHOWN).map(({ url, line, observed }) => {
      const place = `${printable(url)}${line === undefined ? '' : `:${line}`}`;
      return `    ${place}  ${paint('muted', printable(observed))}`;
    }),
    ...(issueCount > SHOWN ? [paint('muted', `    and ${issueCount - SHOWN} more`)] : []),
    `    ${paint('accent', 'fix')}  ${fix}`,
  ];
}

/** What a target wrote must not move the cursor. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
