/**
 * Sorts the findings of a diff and adds counts, the highest severity and the verdict. Runs after the rules, and again
 * after a baseline was applied.
 */
import type { EnvDiff } from './env-diff.js';
import type { Finding } from './finding.js';
import { counts as decides, isNoise, judgeVerdict } from './judge-verdict.js';
import { worstFirst } from './run-rules.js';

export type UnjudgedDiff = Omit<EnvDiff, 'maxSeverity' | 'counts' | 'verdict' | 'verdictReasons'>;

export function judgeDiff(diff: UnjudgedDiff): EnvDiff {
  const findings = [...diff.findings].sort(worstFirst);
  return {
    ...diff,
    findings,
    maxSeverity: findings.find(decides)?.severity ?? 'none',
    counts: countsOf(findings),
    ...judgeVerdict({ ...diff, findings }),
  };
}

function countsOf(findings: readonly Finding[]): EnvDiff['counts'] {
  const counts = {
    critical: 0,
    warn: 0,
    info: 0,
    noisy: 0,
    known: 0,
    suppressed: 0,
    resolved: 0,
    explained: 0,
  };
  for (const finding of findings) {
    const { status, severity, explainedBy } = finding;
    if (isNoise(finding)) counts.noisy++;
    else if (status !== 'new') counts[status]++;
    else if (explainedBy !== undefined) counts.explained++;
    else counts[severity]++;
  }
  return counts;
}
