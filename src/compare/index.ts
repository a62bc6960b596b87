/** The public door of `compare/`. */
export {
  type Changed,
  COMPARISON_LIMITS,
  type ComparisonKey,
  type ComparisonRow,
  type ComparisonStatus,
  type ComparisonStore,
  type CreateComparisonOutcome,
  type ExplanationInput,
  type ExplanationState,
  type HistoryQuery,
  type NewComparison,
  type PairSummary,
  type ProbeInput,
  type SealedSides,
  type StoredExplanation,
  type StoredProbe,
} from './comparison-store.js';
export { type CompareOptions, computeDiff, SAMPLES_MAX } from './compute-diff.js';
export type * from './env-diff.js';
export type * from './finding.js';
export { compareSeverity, worseSeverity } from './finding.js';
export { FINDING_CODES, type FindingCategory, type FindingCode } from './finding-codes.js';
export { type IgnoreRule, readIgnoreRule, readIgnoreRules } from './ignore-rules.js';
export {
  type ComparisonState,
  PairComparisons,
  type PairOptions,
  type PairScope,
  probeInput,
  stateOf,
} from './pair-comparisons.js';
export { comparisonIdOf, pairKeyIn, pairKeyOf } from './pair-key.js';
export type { Rule } from './rule.js';
export { RULES } from './rules/index.js';
export { routeSetFinding } from './rules/route-set-drift.js';
export { serializeDiff } from './serialize-diff.js';
