/**
 * What a rule is. A rule compares two samples and says how they differ; it does nothing else. It declares which
 * sections it reads and which headers it claims, gets only what was observed, never catches, and knows no clock.
 *
 * The runner turns differences into findings: it drops a rule's say where a section was not observed, marks what
 * already differs within a side, adds fingerprints, and reports a rule that threw as an error of that rule.
 */
import type { CoverageSection, Side } from '../probe/index.js';
import type { Direction, EvidenceSection, FindingValue, Severity } from './finding.js';
import type { FindingCode } from './finding-codes.js';
import type { RulePart } from './pair-changes.js';
import type { SampleView } from './sample-view.js';

export interface RuleContext {
  /** The side that must not be the weaker one: production, on the right unless said otherwise. */
  readonly protectedSide: Side;
  /** All samples of each side, in order. A rule that reads them is `sampled`. */
  readonly samples: Readonly<Record<Side, readonly SampleView[]>>;
  /** Pointers of JSON values that must be equal. */
  readonly pinned: readonly string[];
  /**
   * Set where a rule is asked about noise: what it found between the sides. Only the keys of these are looked up
   * in the answer, so a rule may pass over all others.
   */
  readonly found?: readonly Difference[];
}

export interface Difference {
  readonly section: EvidenceSection;
  /** What differs: a header's name, a pointer, a cookie. Noise is told apart by section and key. */
  readonly key: string;
  readonly left: FindingValue;
  readonly right: FindingValue;
  readonly severity: Severity;
  readonly direction: Direction;
  readonly message: string;
  readonly note?: string;
  /** Goes into the fingerprint beside the key: what kind of difference, without volatile values. */
  readonly kind?: string;
}

export interface Rule {
  readonly code: FindingCode;
  /** Raised when the rule judges the same envelopes differently than before. */
  readonly version: number;
  readonly title: string;
  /** What it means and when which severity is given; goes into the documents. */
  readonly about: string;
  readonly recommendation: string;
  /** Sections that both sides must have observed. */
  readonly inputs: readonly CoverageSection[];
  /** Header names the rule judges; one that ends in `*` is a prefix. */
  readonly claims: readonly string[];
  /**
   * With `parts`, all that the rule reads: it has nothing to say where these headers mean the same on both sides,
   * and is then not asked. `?name` is a header of which only the presence counts, `name-*` a prefix. The value of
   * a volatile field counts as it is written, but not for a prefix.
   */
  readonly reads?: readonly string[];
  /** Headers that a prefix in `reads` covers and that the rule leaves to others. */
  readonly passesOver?: (name: string) => boolean;
  /** What it reads besides headers; see `pair-changes.ts` for when a part counts as alike. */
  readonly parts?: readonly RulePart[];
  /** Reads all samples by itself, so the runner does not look for noise in it. */
  readonly sampled?: true;
  /** All differences become one finding; without it each is its own. */
  readonly grouped?: (count: number) => string;
  compare(left: SampleView, right: SampleView, context: RuleContext): readonly Difference[];
}

/** Which side alone has it, or that both do. */
export function presence(left: unknown, right: unknown): Direction {
  if (left === undefined || left === null) return 'right_only';
  if (right === undefined || right === null) return 'left_only';
  return 'changed';
}

export function weakerSide(side: Side): Direction {
  return side === 'left' ? 'left_weaker' : 'right_weaker';
}

/** Critical where the protected side is the weaker one. */
export function severityOfWeaker(side: Side, { protectedSide }: RuleContext): Severity {
  return side === protectedSide ? 'critical' : 'warn';
}
