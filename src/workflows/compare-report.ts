/** The result of comparing pairs in this process, from which every reporter renders, and its verdict. */
import { counts, type EnvDiff, type Finding, type Severity, type Verdict } from '../compare/index.js';
import type { Explanation } from '../explain/index.js';
import type { Side, SignalEnvelope } from '../probe/index.js';

export interface ReportedPair {
  /** The path in a suite, or else the right side's path. */
  readonly name: string;
  readonly left: SignalEnvelope;
  readonly right: SignalEnvelope;
  readonly diff: EnvDiff;
  readonly explanation: Explanation;
  /** Why the configured model gave no explanation; `explanation` is then the computed one. */
  readonly explanationFault?: string;
}

/** The effect of the baseline on this run. */
export interface BaselineUse {
  readonly file: string;
  /** Number of findings that it hid. */
  readonly hidden: number;
  /** Entries that no longer occur on the compared paths. */
  readonly gone: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

export interface CompareReport {
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly candidate: Side;
  /** Names and URLs of the sides. */
  readonly leftLabel: string;
  readonly rightLabel: string;
  readonly leftUrl: string;
  readonly rightUrl: string;
  readonly pairs: readonly ReportedPair[];
  /** Findings about the set of paths as a whole. */
  readonly suiteFindings: readonly Finding[];
  readonly notes: readonly string[];
  readonly verdict: Verdict;
  readonly failOn: Exclude<Severity, 'info'>;
  readonly baseline?: BaselineUse;
  /** If the run was stopped early: the number of paths that should have been compared. */
  readonly interruptedOf?: number;
}

const WEIGHT: Readonly<Record<Verdict, number>> = { pass: 0, warn: 1, inconclusive: 2, fail: 3 };

/** A certain failure outweighs an inconclusive result, which outweighs a warning. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce<Verdict>((worst, each) => (WEIGHT[each] > WEIGHT[worst] ? each : worst), 'pass');
}

function verdictOfFindings(findings: readonly Finding[]): Verdict {
  const counting = findings.filter(counts);
  if (counting.some(({ severity }) => severity === 'critical')) return 'fail';
  return counting.some(({ severity }) => severity === 'warn') ? 'warn' : 'pass';
}

/** A run that was stopped before it compared anything is inconclusive. */
export function verdictOfPairs({
  pairs,
  suiteFindings,
}: Pick<CompareReport, 'pairs' | 'suiteFindings'>): Verdict {
  if (pairs.length === 0) return 'inconclusive';
  return worstVerdict([verdictOfFindings(suiteFindings), ...pairs.map(({ diff }) => diff.verdict)]);
}
