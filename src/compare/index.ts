/** The public door of `compare/`. */
export type * from './env-diff.js';
export type * from './finding.js';
export { compareSeverity, worseSeverity } from './finding.js';
export { FINDING_CODES, type FindingCategory, type FindingCode } from './finding-codes.js';
