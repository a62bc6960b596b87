/** The public door of `compare/`. */
export { type CompareOptions, computeDiff, SAMPLES_MAX } from './compute-diff.js';
export type * from './env-diff.js';
export type * from './finding.js';
export { compareSeverity, worseSeverity } from './finding.js';
export { FINDING_CODES, type FindingCategory, type FindingCode } from './finding-codes.js';
export { type IgnoreRule, readIgnoreRule, readIgnoreRules } from './ignore-rules.js';
export type { Rule } from './rule.js';
export { RULES } from './rules/index.js';
export { routeSetFinding } from './rules/route-set-drift.js';
export { serializeDiff } from './serialize-diff.js';
