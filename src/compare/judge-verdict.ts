/**
 * Decides whether a pair passes. Only findings that count matter: new, not noise, and not explained by another finding.
 * A certain failure is never called inconclusive, unless the site itself was not seen: neither side responded, or a
 * challenge page did.
 */
import type { EnvDiff } from './env-diff.js';
import type { Finding } from './finding.js';
import type { Severity } from './severity.js';

export function counts({ stability, status, explainedBy }: Finding): boolean {
  return stability !== 'noisy' && status === 'new' && explainedBy === undefined;
}

/** What a person has ignored or accepted is that, noisy or not. */
export function isNoise({ stability, status }: Pick<Finding, 'stability' | 'status'>): boolean {
  return stability === 'noisy' && status === 'new';
}

export function judgeVerdict({
  findings,
  ruleErrors,
  samples,
}: Pick<EnvDiff, 'findings' | 'ruleErrors' | 'samples'>): Pick<EnvDiff, 'verdict' | 'verdictReasons'> {
  const counted = findings.filter(counts);
  const reasonsOf = (severity: Severity) =>
    counted
      .filter((finding) => finding.severity === severity)
      .map(({ code, message }) => `${code}: ${message}`);
  const messagesOf = (code: string) =>
    counted.filter((finding) => finding.code === code).map(({ message }) => message);

  const isDead = samples.left.answered === 0 && samples.right.answered === 0;
  if (isDead) return { verdict: 'inconclusive', verdictReasons: ['Neither side responded.'] };
  const blocked = messagesOf('PROBE_BLOCKED');
  if (blocked.length > 0) return { verdict: 'inconclusive', verdictReasons: blocked };
  const critical = reasonsOf('critical');
  if (critical.length > 0) return { verdict: 'fail', verdictReasons: critical };
  const flaky = messagesOf('PROBE_FLAKY');
  if (flaky.length > 0) return { verdict: 'inconclusive', verdictReasons: flaky };
  const failed = ruleErrors.map(({ code }) => `Rule ${code} failed to run.`);
  if (failed.length > 0) return { verdict: 'inconclusive', verdictReasons: failed };
  const warnings = reasonsOf('warn');
  return { verdict: warnings.length > 0 ? 'warn' : 'pass', verdictReasons: warnings };
}
