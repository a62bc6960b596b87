/** Puts a verdict into one sentence with the sides' labels. It never reports a match if anything differs. */
import type { Side } from '../probe/index.js';
import type { EnvDiff, Verdict } from './env-diff.js';
import type { Finding } from './finding.js';
import { counts } from './judge-verdict.js';
import { otherSide } from './rule.js';
import type { SideLabels } from './side-labels.js';

export interface VerdictSummary {
  readonly verdict: Verdict;
  readonly candidate: Side;
  readonly labels: SideLabels;
  readonly findings: readonly Finding[];
  /** Findings that a baseline or an ignore rule hides. */
  readonly hidden: number;
}

export function verdictSentence({ verdict, candidate, labels, findings, hidden }: VerdictSummary): string {
  const [own, other] = [labels[candidate], labels[otherSide(candidate)]];
  const counted = findings.filter(counts);
  const critical = counted.filter(({ severity }) => severity === 'critical');
  const [unreachable] = critical;
  if (unreachable && critical.every(({ code }) => code === 'PROBE_FAILURE')) return unreachable.message;
  if (verdict === 'fail') return `${own} differs from ${other} in ways that matter`;
  if (verdict === 'warn') return `${own} differs from ${other} in ways worth checking`;
  if (verdict === 'inconclusive') return 'the observations do not allow a verdict';
  if (hidden > 0) return `nothing new on ${own} is worse than on ${other}`;
  return counted.length > 0
    ? `nothing on ${own} is worse than on ${other}`
    : `${own} matches ${other} in everything that was compared`;
}

export function diffSentence(diff: EnvDiff): string {
  const { known, suppressed } = diff.counts;
  return verdictSentence({ ...diff, hidden: known + suppressed });
}
