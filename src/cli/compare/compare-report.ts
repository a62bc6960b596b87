/** What a run of `sonde compare` found: the one thing every reporter reads. */
import type { EnvDiff, Finding, Severity, Verdict } from '../../compare/index.js';
import type { Explanation } from '../../explain/index.js';
import type { SignalEnvelope } from '../../probe/index.js';

export interface ReportedPair {
  /** The path in a suite, else the right side's path. */
  readonly name: string;
  readonly left: SignalEnvelope;
  readonly right: SignalEnvelope;
  readonly diff: EnvDiff;
  readonly explanation: Explanation;
  /** Why a configured model did not explain; the text above is then the one by rule. */
  readonly explanationFault?: string;
}

export interface CompareReport {
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly leftLabel: string;
  readonly rightLabel: string;
  readonly pairs: readonly ReportedPair[];
  /** Findings about the set of paths, not about one of them. */
  readonly suiteFindings: readonly Finding[];
  readonly notes: readonly string[];
  readonly verdict: Verdict;
  readonly failOn: Exclude<Severity, 'info'>;
}

const WEIGHT: Readonly<Record<Verdict, number>> = { pass: 0, warn: 1, inconclusive: 2, fail: 3 };

/** A certain failure outweighs what could not be judged, and that outweighs a warning. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce<Verdict>((worst, each) => (WEIGHT[each] > WEIGHT[worst] ? each : worst), 'pass');
}

export function verdictOfFindings(findings: readonly Finding[]): Verdict {
  const counting = findings.filter(counts);
  if (counting.some(({ severity }) => severity === 'critical')) return 'fail';
  return counting.some(({ severity }) => severity === 'warn') ? 'warn' : 'pass';
}

/** Whether a finding takes part in the verdict. */
export function counts({ stability, status }: Finding): boolean {
  return stability !== 'noisy' && status === 'new';
}

/** Whether this finding alone makes the run fail under `--fail-on`. */
export function fails(finding: Finding, failOn: CompareReport['failOn']): boolean {
  if (!counts(finding)) return false;
  return finding.severity === 'critical' || (failOn === 'warn' && finding.severity === 'warn');
}

/** All findings of a run with the name of where they are. */
export function* allFindings(
  report: CompareReport,
): Generator<{ name: string; finding: Finding; url: string }> {
  for (const finding of report.suiteFindings) yield { name: 'suite', finding, url: '' };
  for (const { name, diff, right } of report.pairs) {
    for (const finding of diff.findings) yield { name, finding, url: right.requestedUrl };
  }
}

export function shownValue(value: Finding['left_value']): string {
  if (value === null) return '(absent)';
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(', ');
  return String(value);
}
