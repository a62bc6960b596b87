/**
 * A finding: one typed, explained difference between two environments, with both values as evidence.
 *
 * `severity` is how bad the difference is for the candidate, `stability` whether repeated samples confirm it,
 * `status` whether someone has accepted it, `explainedBy` whether it follows from another finding. Only a finding
 * that is new, not noisy and not explained counts for the verdict. The fingerprint identifies the same difference
 * from run to run: it holds no volatile value, no host and no time.
 */
import type { Side } from '../probe/index.js';
import type { FindingCategory, FindingCode } from './finding-codes.js';

export type Severity = 'info' | 'warn' | 'critical';

/** How the sides differ: only one has the value, both have different values, or one is worse off. */
export type Direction = 'left_only' | 'right_only' | 'changed' | 'left_weaker' | 'right_weaker';

/**
 * `stable`: it is in every sample. `intermittent`: the reference is steady, and only some samples of the candidate are
 * worse, so it counts. `noisy`: it varies from request to request in any other way, so it is not drift. `unverified`:
 * it was observed in one sample per side only, so it could be noise.
 */
export type Stability = 'stable' | 'intermittent' | 'noisy' | 'unverified';

/** How many of the candidate's samples have a finding that the others do not have. */
export interface Occurrence {
  readonly samples: number;
  readonly of: number;
}

/** What the difference means for the candidate: it is worse off, better off, or just different. */
export type Effect = 'regression' | 'improvement' | 'change';

/** Set by ignore rules and the baseline: `resolved` is a baseline entry that no longer occurs. */
export type FindingStatus = 'new' | 'known' | 'suppressed' | 'resolved';

export type EvidenceSection =
  | 'probe'
  | 'status'
  | 'finalUrl'
  | 'redirects'
  | 'headers'
  | 'cookies'
  | 'content'
  | 'body'
  | 'timing'
  | 'cf'
  | 'connection'
  | 'tls'
  | 'exchanges'
  | 'request'
  | 'routes';

/** null is "absent", never "not observed": a rule whose inputs were not observed does not run. */
export type FindingValue = string | number | boolean | null | readonly string[];

export interface Evidence {
  readonly section: EvidenceSection;
  /** What differs within the section, in code-unit order: header names, JSON pointers, cookie names. */
  readonly keys: readonly string[];
  readonly left: FindingValue;
  readonly right: FindingValue;
  readonly note?: string;
  /** This part also differs between samples of one side. */
  readonly noisy?: true;
  /** An ignore rule covers this part. */
  readonly ignored?: true;
}

/** A few words of one line of a word diff; a part with a side occurs on that side only. */
export interface ExcerptPart {
  readonly side?: Side;
  readonly text: string;
}

export type ExcerptLine = readonly ExcerptPart[];

export interface Finding {
  /** `CODE:section:keys`; unique within one diff. */
  readonly id: string;
  readonly code: FindingCode;
  readonly category: FindingCategory;
  readonly severity: Severity;
  readonly direction: Direction;
  readonly effect: Effect;
  readonly stability: Stability;
  /** Only if it is intermittent. */
  readonly occurrence?: Occurrence;
  readonly status: FindingStatus;
  readonly message: string;
  /** The values of the most severe piece of evidence. */
  readonly left_value: FindingValue;
  readonly right_value: FindingValue;
  readonly evidence: readonly Evidence[];
  /** The changed text with a few words around it; redacted and bounded. */
  readonly excerpt?: readonly ExcerptLine[];
  readonly recommendations: readonly string[];
  /** 32 hex digits; the same kind of difference on the same route has the same one in every run. */
  readonly fingerprint: string;
  /** 32 hex digits over the exact path and both values, hosts mapped: what a baseline accepts. */
  readonly valueFingerprint: string;
  /** The id of the finding that this one follows from; it is shown below that one and does not count. */
  readonly explainedBy?: string;
  readonly ruleVersion: number;
}

const SEVERITY_RANK: Readonly<Record<Severity, number>> = { info: 0, warn: 1, critical: 2 };

/** Negative if `a` is less severe. */
export function compareSeverity(a: Severity, b: Severity): number {
  return SEVERITY_RANK[a] - SEVERITY_RANK[b];
}

export function worseSeverity(a: Severity, b: Severity): Severity {
  return compareSeverity(a, b) >= 0 ? a : b;
}
