/** The public interface of `compare/`. */
export { acceptFindings, withAccepted } from './accept-findings.js';
export type * from './comparison-store.js';
export { COMPARISON_LIMITS, RUN_CANCELED, RUN_INTERRUPTED } from './comparison-store.js';
export {
  type CompareOptions,
  computeDiff,
  diffInSteps,
  isUnsettledInSteps,
  SAMPLES_MAX,
} from './compute-diff.js';
export type * from './env-diff.js';
export { erasedFields } from './erased-fields.js';
export type * from './finding.js';
export { FINDING_CODES, type FindingCategory, type FindingCode } from './finding-codes.js';
export { pathOf, routeTemplate, type TextHash } from './fingerprint.js';
export { type IgnoreRule, readIgnoreRule, readIgnoreRules } from './ignore-rules.js';
export { counts, isNoise } from './judge-verdict.js';
export { type ComparisonState, createPairComparison, probeInput, stateOf } from './pair-comparisons.js';
export { comparisonIdOf, jobIdIn, pairKeyIn, pairKeyOf } from './pair-key.js';
export { otherSide, type Rule } from './rule.js';
export { RULES } from './rules/index.js';
export { routeSetFinding } from './rules/route-set-drift.js';
export { sampleOrder, seededRandom } from './sample-order.js';
export {
  CONFIRM_SAMPLES_DEFAULT,
  confirmRounds,
  SAMPLES_DEFAULT,
  type Sampler,
  takeRounds,
} from './sampling.js';
export { serializeDiff } from './serialize-diff.js';
export { compareSeverity, type Severity } from './severity.js';
export { type SideLabels, sideLabels } from './side-labels.js';
export type * from './suite/baseline.js';
export { applyBaseline, baselineOf, readBaseline } from './suite/baseline.js';
export { type FindingGroup, groupFindings, titleOf } from './suite/group-findings.js';
export { HostSlots } from './suite/host-slots.js';
export { pathsFromOpenApi } from './suite/openapi-paths.js';
export type * from './suite/path-sources.js';
export {
  pathsFromList,
  pathsFromRecording,
  pathsFromSitemap,
  SUITE_PATHS_MAX,
} from './suite/path-sources.js';
export { readSitemaps } from './suite/read-sitemaps.js';
export { recordedPaths } from './suite/recorded-paths.js';
export { type PlannedPaths, suitePlan } from './suite/suite-plan.js';
export type * from './suite/suite-store.js';
export { SUITE_LIMITS } from './suite/suite-store.js';
export { prefixOf, type SideBases, sitemapUrl, urlUnder } from './suite/suite-urls.js';
export { diffSentence, verdictSentence } from './verdict-sentence.js';
export { excerptText } from './word-diff.js';
