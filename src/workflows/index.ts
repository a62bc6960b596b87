/** The public door of `workflows/`. */
export { createAuditHandler } from './audit-job.js';
export { auditSite } from './audit-site.js';
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
export { CANCELED, type CompareRows, endRow, INTERRUPTED } from './end-row.js';
export { createSuiteParts } from './suite-parts.js';
