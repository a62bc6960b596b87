/** What `sonde/compare` exports on every runtime. It is here because an explanation is the last step of a comparison. */
export {
  type CompareOptions,
  comparisonIdOf,
  computeDiff,
  type EnvDiff,
  type Finding,
  type FindingCode,
  pairKeyOf,
  type Severity,
  type SideLabels,
  type Verdict,
} from '../compare/index.js';
export { explainDiff } from './explain-diff.js';
export type { Explanation } from './explanation.js';
