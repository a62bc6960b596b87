/** The report for a terminal: the verdict, findings by severity, what was not measured, and the next step. */
import type { AuditReport, Issue, RuleResult } from '../../audits/index.js';
import { oneLine, printableLine as printable } from '../../printable.js';
import type { Paint } from '../paint.js';

/** Findings shown per rule; JSON and CSV list all of them. */
const SHOWN = 3;
const TONES = { good: 'pass', fair: 'warn', poor: 'critical' } as const;
const MEANINGS = { error: 'critical', warn: 'warn', info: 'info' } as const;

export async function prettyReport(report: AuditReport, paint: Paint, target: string): Promise<string> {
  const words = await import('../../audits/index.js');
  const { score, homeUrl, gates, reading } = report;
  const meaning = TONES[words.bandOf(score)];
  const stopped = words.stoppedSentence(report);
  const lines = [
    `${paint(meaning, words.scoreText(report))}  ${printable(homeUrl)}`,
    ...(reading?.note === undefined ? [] : [`  ${paint('critical', reading.note)}`]),
    ...(stopped === undefined ? [] : [`  ${paint('critical', stopped)}`]),
    `  ${words.verdictSentence(report)}`,
    ...[words.fixesSentence(report), words.hiddenSentence(report)].flatMap((each) =>
      each === undefined ? [] : [`  ${each}`],
    ),
    ...gates.map((gate) => `  ${paint('critical', words.gateSentence(gate))} ${printable(gate.url)}`),
  ];
  for (const { severity, name, shape } of words.SEVERITIES) {
    const findings = words.findingsOf(report, severity);
    if (findings.length === 0) continue;
    lines.push('', paint('strong', `${name} (${findings.length})`));
    for (const rule of findings) {
      const reach = words.reachOf(rule);
      lines.push(
        `${paint(MEANINGS[severity], `${shape} ${rule.title}`)}  ${paint('muted', [rule.id, reach].filter((part) => part !== '').join(', '))}`,
        ...findingLines(rule, words.spreadOf, paint),
      );
    }
  }
  return [
    ...lines,
    ...unmeasuredLines(report, paint),
    ...goneLines(words.goneLines(report), paint),
    '',
    nextStep(report, target),
  ]
    .map(oneLine)
    .join('\n');
}

function nextStep({ counts, stopped }: AuditReport, target: string): string {
  if (counts.failed + counts.warned === 0 && stopped === undefined) return 'Nothing to do.';
  return `Next: sonde audit ${printable(target)} -r html=report.html,csv=findings.csv for every finding.`;
}

function findingLines(
  { issues, issueCount, fix, reason }: RuleResult,
  spreadOf: (issue: Issue) => string,
  paint: Paint,
): string[] {
  const shown = issues.slice(0, SHOWN);
  return [
    ...shown.map((issue) => {
      const { url, line, element, observed } = issue;
      const place = `${printable(url)}${line === undefined ? '' : `:${line}`}`;
      // The element is omitted if the observation already names it.
      const about = element === undefined || observed.includes(element) ? '' : `${printable(element)}: `;
      const spread = spreadOf(issue);
      return `    ${place}  ${paint('muted', `${about}${printable(observed)}`)}${spread === '' ? '' : ` ${spread}`}`;
    }),
    ...(issueCount > shown.length ? [paint('muted', `    and ${issueCount - shown.length} more`)] : []),
    ...(reason === null ? [] : [`    ${paint('muted', printable(reason))}`]),
    `    ${paint('accent', 'fix')}  ${fix}`,
  ];
}

function unmeasuredLines({ rules }: AuditReport, paint: Paint): string[] {
  const unmeasured = rules.filter(({ status }) => status === 'not-measured' || status === 'error');
  if (unmeasured.length === 0) return [];
  return [
    '',
    paint('strong', `Not measured (${unmeasured.length})`),
    ...unmeasured.map(({ id, reason }) => `  ${id}  ${paint('muted', printable(reason ?? ''))}`),
  ];
}

function goneLines(lines: readonly string[], paint: Paint): string[] {
  if (lines.length === 0) return [];
  return [
    '',
    paint('strong', `In the baseline, but no longer found (${lines.length})`),
    ...lines.map((line) => `  ${printable(line)}`),
  ];
}
