/**
 * The interface of a rule. A rule compares two samples and returns how they differ. It declares the sections it needs
 * and the headers it judges, never catches, and has no clock. Both views hold the same sections, so a rule cannot see
 * that one side observed more than the other.
 *
 * A rule gives every difference its full severity and the side that is worse off. The runner does the rest: it lowers
 * improvements of the candidate to information, skips rules whose inputs were not observed, compares all samples to
 * find what varies from request to request, adds fingerprints, and reports a rule that threw as that rule's error.
 */
import type { CoverageSection, Side } from '../probe/index.js';
import type { Direction, EvidenceSection, ExcerptLine, FindingValue } from './finding.js';
import type { FindingCode } from './finding-codes.js';
import type { SampleView } from './sample-view.js';
import type { Severity } from './severity.js';

export interface RuleContext {
  /** All samples of each side that observed the rule's inputs, in order. A rule that reads them is `sampled`. */
  readonly samples: Readonly<Record<Side, readonly SampleView[]>>;
  /** Whether the JSON values at this pointer must be equal. */
  readonly isPinned: (pointer: string) => boolean;
}

export interface Difference {
  readonly section: EvidenceSection;
  /** What differs: a header's name, a pointer, a cookie. Noise is matched by section and key. */
  readonly key: string;
  readonly left: FindingValue;
  readonly right: FindingValue;
  /** The severity if the worse side is the candidate. */
  readonly severity: Severity;
  readonly direction: Direction;
  /** One sentence; sides are written as `NAME.left` and `NAME.right`. */
  readonly message: string;
  readonly note?: string;
  readonly excerpt?: readonly ExcerptLine[];
  /** The kind of difference, without volatile values; part of the fingerprint. */
  readonly kind?: string;
}

export type Found = Difference | readonly Difference[] | undefined;

export interface Rule {
  readonly code: FindingCode;
  /** Raised when the rule judges the same envelopes differently than before. */
  readonly version: number;
  /** What is wrong, in a few words. */
  readonly title: string;
  /** What it means and which severity it has when; published in the docs. */
  readonly about: string;
  readonly recommendation: string;
  /** Sections that both sides must have observed. */
  readonly inputs: readonly CoverageSection[];
  /** Header names that the rule judges; a trailing `*` marks a prefix. */
  readonly claims?: readonly string[];
  /** The rule reads all samples itself, so the runner calls it once. */
  readonly sampled?: true;
  /** Judges each side for itself, so two samples of one side always have the same differences. */
  readonly bySide?: true;
  /** Values are measurements that differ from run to run, so a baseline does not compare them. */
  readonly measured?: true;
  /** About the comparison itself: a fault of the reference counts as much as one of the candidate. */
  readonly bothSidesCount?: true;
  /** Combines all differences into one finding with this message; without it, each is its own finding. */
  readonly grouped?: (count: number, worst: Difference) => string;
  compare(left: SampleView, right: SampleView, context: RuleContext): Found;
}

/**
 * Placeholders for the sides' labels in messages; the runner replaces them. They are noncharacters, which no text from
 * a site can contain once it is decoded and redacted.
 */
export const NAME: Readonly<Record<Side, string>> = { left: '\ufdd0', right: '\ufdd1' };

export function withLabels(text: string, labels: Readonly<Record<Side, string>>): string {
  return text.replaceAll(NAME.left, labels.left).replaceAll(NAME.right, labels.right);
}

/** Which side alone has the value, or `changed` if both do. */
export function presence(left: unknown, right: unknown): Direction {
  if (left === undefined || left === null) return 'right_only';
  if (right === undefined || right === null) return 'left_only';
  return 'changed';
}

/** The values of a difference whose value only one side has. */
export function valueOn(side: Side, value: FindingValue, other: FindingValue = null) {
  return side === 'left' ? { left: value, right: other } : { left: other, right: value };
}

export function weakerSide(side: Side): Direction {
  return side === 'left' ? 'left_weaker' : 'right_weaker';
}

/** The side that lacks something is the weaker one; if both have it, neither is weaker. */
export function weakerWithout(left: unknown, right: unknown): Direction {
  if (left === undefined || left === null) return 'left_weaker';
  if (right === undefined || right === null) return 'right_weaker';
  return 'changed';
}

/** The smaller number is the weaker side. */
export function weakerBelow(left: number, right: number): Direction {
  return left === right ? 'changed' : weakerSide(left < right ? 'left' : 'right');
}

/** The side whose list is part of the other's is the weaker one; lists that each lack something just differ. */
export function weakerSubset(left: readonly string[], right: readonly string[]): Direction {
  const holds = (a: readonly string[], b: readonly string[]) => b.every((item) => a.includes(item));
  if (holds(right, left)) return 'left_weaker';
  return holds(left, right) ? 'right_weaker' : 'changed';
}

/** "X is A on staging and B on production". */
export function bothValues(
  what: string,
  left: string | number | null,
  right: string | number | null,
): string {
  return `${what} is ${left ?? 'absent'} on ${NAME.left} and ${right ?? 'absent'} on ${NAME.right}`;
}

/** What every difference of a header has in common. */
export function headerValues(name: string, left: string | null, right: string | null) {
  return { section: 'headers', key: name, left, right, message: bothValues(name, left, right) } as const;
}

/** The message of a finding with several differences: the worst one, and the number of others. */
export function worstAndMore(count: number, { message }: Difference): string {
  return `${message}, and ${count - 1} more`;
}

export function otherSide(side: Side): Side {
  return side === 'left' ? 'right' : 'left';
}
