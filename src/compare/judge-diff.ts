/** Gives a diff its order, counts, worst severity and verdict: after the rules, and again after a baseline. */
import type { EnvDiff, RuleError } from './env-diff.js';
import type { Finding } from './finding.js';
import { counts as decides, judgeVerdict } from './judge-verdict.js';
import { worstFirst } from './run-rules.js';

export type DiffJudgement = Pick<EnvDiff, 'maxSeverity' | 'counts' | 'verdict' | 'verdictReasons'>;
export type UnjudgedDiff = Omit<EnvDiff, keyof DiffJudgement>;

export function judgeDiff(diff: UnjudgedDiff): EnvDiff {
  const findings = [...diff.findings].sort(worstFirst);
  return { ...diff, findings, ...judgementOf(findings, diff.ruleErrors, diff.samples) };
}

/** What findings, the worst first, amount to. */
export function judgementOf(
  findings: readonly Finding[],
  errors: readonly RuleError[],
  samples: EnvDiff['samples'],
): DiffJudgement {
  const bothDead = samples.left.answered === 0 && samples.right.answered === 0;
  const { verdict, reasons } = judgeVerdict({ findings, errors, bothDead });
  return {
    maxSeverity: findings.find(decides)?.severity ?? 'none',
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
