/** The public exports of `workflows/`. */
export { createAuditHandler } from './audit-job.js';
export { auditSite } from './audit-site.js';
export { createCompareDeps, SIDE_PURPOSE, sealSide } from './compare-deps.js';
export {
  type CompareContext,
  type CompareDeps,
  type CompareInput,
  type CompareRunOptions,
  compareEnvironments,
  type SideRequest,
} from './compare-environments.js';
export { createCompareHandler, createSuiteHandler } from './compare-job.js';
export { type CompareRows, endRow } from './end-row.js';
export { createSuiteDeps } from './suite-deps.js';
