/** Gives a diff its order, counts, worst severity and verdict: after the rules, and again after a baseline. */
import type { EnvDiff } from './env-diff.js';
import { type Finding, worseSeverity } from './finding.js';
import { counts as decides, judgeVerdict } from './judge-verdict.js';
import { worstFirst } from './run-rules.js';

export type UnjudgedDiff = Omit<EnvDiff, 'maxSeverity' | 'counts' | 'verdict' | 'verdictReasons'>;

export function judgeDiff(diff: UnjudgedDiff): EnvDiff {
  const findings = [...diff.findings].sort(worstFirst);
  const decisive = findings.filter(decides);
  const { verdict, reasons } = judgeVerdict({
    findings,
    errors: diff.ruleErrors,
    bothDead: diff.samples.left.answered === 0 && diff.samples.right.answered === 0,
  });
  return {
    ...diff,
    findings,
    maxSeverity:
      decisive.length === 0 ? 'none' : decisive.map(({ severity }) => severity).reduce(worseSeverity),
    counts: countsOf(findings),
    verdict,
    verdictReasons: reasons,
  };
}

function countsOf(findings: readonly Finding[]): EnvDiff['counts'] {
  const counts = { critical: 0, warn: 0, info: 0, noisy: 0, known: 0, suppressed: 0, resolved: 0 };
  for (const { stability, status, severity } of findings) {
    if (stability === 'noisy') counts.noisy++;
    else if (status === 'new') counts[severity]++;
    else counts[status]++;
  }
  return counts;
}
