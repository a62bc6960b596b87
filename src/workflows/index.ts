/** The public door of `workflows/`. */
export { createAuditHandler } from './audit-job.js';
export { auditSite } from './audit-site.js';
export { cancelComparison, cancelSuite } from './cancel-runs.js';
export {
  type CompareContext,
  type CompareInput,
  type CompareParts,
  type CompareRunOptions,
  compareEnvironments,
  type SideRequest,
} from './compare-environments.js';
export { createCompareHandler, createSuiteHandler } from './compare-job.js';
export { createCompareParts, SIDE_PURPOSE, sealSide } from './compare-parts.js';
export type { SuiteParts } from './compare-suite.js';
