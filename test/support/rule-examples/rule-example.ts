/** One pair that makes a rule speak, with the severity it must give, and one that must leave it silent. */
import type { FindingCode, Severity } from '../../../src/compare/index.js';
import type { Sketch } from '../make-envelope.js';

export interface RuleExample {
  readonly severity: Severity;
  readonly left: Sketch;
  readonly right: Sketch;
  /** Samples a side; each is made from the same sketch unless `more` gives its own. */
  readonly samples?: number;
  readonly moreLeft?: readonly Sketch[];
  readonly moreRight?: readonly Sketch[];
  /** Near enough to tempt the rule. */
  readonly silent: readonly [left: Sketch, right: Sketch];
}

export type RuleExamples = Readonly<Partial<Record<FindingCode, RuleExample>>>;
