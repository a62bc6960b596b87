/**
 * Puts a verdict into one sentence with the sides' labels. It never reports a match if anything differs, be it only
 * from request to request.
 */
import { normalizeText, type Side } from '../probe/index.js';
import type { EnvDiff, Verdict } from './env-diff.js';
import type { Finding } from './finding.js';
import { counts, isNoise } from './judge-verdict.js';
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
  const varies = findings.some((finding) => isNoise(finding) && !isVolatile(finding));
  const except = varies ? '; some of what was compared varies from request to request' : '';
  if (hidden > 0) return `nothing new on ${own} is worse than on ${other}${except}`;
  return counted.length > 0 || varies
    ? `nothing on ${own} is worse than on ${other}${except}`
    : `${own} matches ${other} in everything that was compared`;
}

/** Whether all values change by design, such as ids and times, so that they are no variation of the site. */
function isVolatile({ evidence }: Finding): boolean {
  return evidence.every(({ section, keys, left, right }) => {
    // Hashes look like ids, but they are of what is left without them.
    if (section === 'content' || left === null || right === null) return false;
    if (keys.some((key) => VOLATILE_KEY.test(key))) return true;
    return normalizeText(String(left), []) === normalizeText(String(right), []);
  });
}

const VOLATILE_KEY =
  /(^|[/._-])(nonce|csrf|(request|correlation|trace|span|transaction)[-_]?id|csrf[-_]?token|authenticity[-_]token)$/i;

export function diffSentence(diff: EnvDiff): string {
  const { known, suppressed } = diff.counts;
  return verdictSentence({ ...diff, hidden: known + suppressed });
}
