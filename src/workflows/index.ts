/** The public door of `workflows/`. */
export { type AuditDependencies, type AuditInput, type AuditOutcome, auditSite } from './audit-site.js';
export {
  type CompareContext,
  type CompareInput,
  type CompareParts,
  type CompareRunOptions,
  compareEnvironments,
  type SideRequest,
} from './compare-environments.js';
