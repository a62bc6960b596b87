/**
 * Decides whether a pair passes. Only findings that count matter: new, not noise, and not explained by another finding.
 * A certain failure is never called inconclusive, unless the site itself was not seen: neither side responded, or a
 * challenge page did.
 */
import type { RuleError, Verdict } from './env-diff.js';
import type { Finding, Severity } from './finding.js';

export interface Judgement {
  readonly verdict: Verdict;
  readonly reasons: readonly string[];
}

export interface VerdictInput {
  readonly findings: readonly Finding[];
  readonly errors: readonly RuleError[];
  readonly bothDead: boolean;
}

export function counts({ stability, status, explainedBy }: Finding): boolean {
  return stability !== 'noisy' && status === 'new' && explainedBy === undefined;
}

export function judgeVerdict({ findings, errors, bothDead }: VerdictInput): Judgement {
  const counted = findings.filter(counts);
  const reasonsOf = (severity: Severity) =>
    counted
      .filter((finding) => finding.severity === severity)
      .map(({ code, message }) => `${code}: ${message}`);
  const messagesOf = (code: string) =>
    counted.filter((finding) => finding.code === code).map(({ message }) => message);

  if (bothDead) return { verdict: 'inconclusive', reasons: ['Neither side responded.'] };
  const blocked = messagesOf('PROBE_BLOCKED');
  if (blocked.length > 0) return { verdict: 'inconclusive', reasons: blocked };
  const critical = reasonsOf('critical');
  if (critical.length > 0) return { verdict: 'fail', reasons: critical };
  const flaky = messagesOf('PROBE_FLAKY');
  if (flaky.length > 0) return { verdict: 'inconclusive', reasons: flaky };
  if (errors.length > 0) {
    return { verdict: 'inconclusive', reasons: errors.map(({ code }) => `Rule ${code} failed to run.`) };
  }
  const warnings = reasonsOf('warn');
  return warnings.length > 0 ? { verdict: 'warn', reasons: warnings } : { verdict: 'pass', reasons: [] };
}
