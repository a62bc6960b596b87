/** One pair for which a rule reports a finding, with its severity, and one for which it must stay silent. */
import type { FindingCode, Severity } from '../../../src/compare/index.js';
import type { Sketch } from '../make-envelope.js';

export interface RuleExample {
  readonly severity: Severity;
  /** The side that is worse off, if the rule has a direction; right by default. */
  readonly candidate?: 'left' | 'right';
  /** The severity is the same whichever side is the candidate. */
  readonly undirected?: true;
  readonly left: Sketch;
  readonly right: Sketch;
  /** Samples per side; each is made from the same sketch unless `more` gives its own. */
  readonly samples?: number;
  readonly moreLeft?: readonly Sketch[];
  readonly moreRight?: readonly Sketch[];
  /** Close enough to tempt the rule. */
  readonly silent: readonly [left: Sketch, right: Sketch];
}

export type RuleExamples = Readonly<Partial<Record<FindingCode, RuleExample>>>;
