/** The texts that all report formats share: names of severities, sentences, and the order of findings. */
import type { Severity } from '../rule.js';
import { costOf } from '../score/score-rules.js';
import { pageCount } from '../tally.js';
import type { AuditReport, Gate, Issue, RuleResult } from './audit-report.js';

export const SEVERITIES: readonly {
  readonly severity: Severity;
  readonly name: string;
  readonly shape: string;
}[] = [
  { severity: 'error', name: 'Errors', shape: '■' },
  { severity: 'warn', name: 'Warnings', shape: '▲' },
  { severity: 'info', name: 'Hints', shape: '●' },
];

const GATE_SENTENCES: Readonly<Record<Gate['id'], string>> = {
  'home-status': 'The home page does not return 200',
  'home-noindex': 'The home page is set to noindex',
  'home-blocked': 'robots.txt blocks the home page',
  'private-files': 'Anyone can read a private file',
  'server-error': 'Many pages return a server error',
  'tls-failure': 'A TLS connection to the site fails',
};

export function gateSentence({ id, cap, observed }: Gate): string {
  return `${GATE_SENTENCES[id]} (${observed}): the score is capped at ${cap}.`;
}

/** Findings of one severity, the costliest first; among equals, those about the whole site first. */
export function findingsOf(report: AuditReport, severity: Severity): RuleResult[] {
  return report.rules
    .filter((rule) => rule.severity === severity && (rule.status === 'fail' || rule.status === 'warn'))
    .sort(
      (left, right) =>
        costOf(right) - costOf(left) || Number(left.scope === 'page') - Number(right.scope === 'page'),
    );
}

/** "61 / 100, grade D", or that nothing was scored. */
export function scoreText({ score, grade }: Pick<AuditReport, 'score' | 'grade'>): string {
  return score === null ? 'Not measured' : `${score} / 100, grade ${grade}`;
}

export type ScoreBand = 'good' | 'fair' | 'poor';

export function bandOf(score: number | null): ScoreBand {
  if (score === null || score < 70) return 'poor';
  return score >= 90 ? 'good' : 'fair';
}

export function verdictSentence({ counts, gates }: AuditReport): string {
  const findings = counts.failed + counts.warned;
  if (findings === 0) return `All ${counts.passed} rules that apply pass.`;
  const capped = gates.length > 0 ? ' The score is capped.' : '';
  const rules = `${findings} of ${plural(findings + counts.passed, 'rule')} that apply`;
  return `${rules} ${findings === 1 ? 'fails' : 'fail'}, with ${plural(counts.issues, 'finding')} on ${plural(counts.pages, 'page')}.${capped}`;
}

/** "Fixing a, b and c would raise the score from 61 to 78." */
export function fixesSentence({ score, afterFixes }: AuditReport): string | undefined {
  if (!afterFixes || score === null || afterFixes.score <= score) return undefined;
  const last = afterFixes.rules.at(-1) ?? '';
  const rules =
    afterFixes.rules.length === 1 ? last : `${afterFixes.rules.slice(0, -1).join(', ')} and ${last}`;
  return `Fixing ${rules} would raise the score from ${score} to ${afterFixes.score}.`;
}

/** "12 findings are hidden: 10 by the baseline, 2 by --ignore." */
export function hiddenSentence({ hidden }: AuditReport): string | undefined {
  if (!hidden || hidden.accepted + hidden.ignored === 0) return undefined;
  const total = hidden.accepted + hidden.ignored;
  const parts = [
    ...(hidden.accepted > 0 ? [`${hidden.accepted} by the baseline`] : []),
    ...(hidden.ignored > 0 ? [`${hidden.ignored} by --ignore`] : []),
  ];
  return `${plural(total, 'finding')} ${total === 1 ? 'is' : 'are'} hidden: ${parts.join(', ')}. The score counts them.`;
}

/** Baseline entries that can be removed. */
export function goneLines({ hidden }: AuditReport): string[] {
  return (hidden?.gone ?? []).map(
    ({ rule, paths, observed }) => `${rule} on ${paths.join(', ')}: ${observed}`,
  );
}

export function stoppedSentence({ stopped, counts }: AuditReport): string | undefined {
  if (stopped === undefined) return undefined;
  return `This report is partial: the audit was ${stopped} after ${plural(counts.pages, 'page')}. Pages that were not reached are not included.`;
}

/** How many pages a rule judged, in words; empty for rules about the whole site. */
export function reachOf({ pages }: RuleResult): string {
  return pages ? `${plural(pages.applicable, 'page')} checked` : '';
}

/** "on 40 pages", for a finding that a template repeats. */
export function spreadOf(issue: Issue): string {
  const pages = pageCount(issue);
  return pages > 1 ? `on ${plural(pages, 'page')}` : '';
}

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
