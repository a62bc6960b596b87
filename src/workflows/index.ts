/** The public door of `workflows/`. */
export { type AuditDependencies, type AuditInput, type AuditOutcome, auditSite } from './audit-site.js';
