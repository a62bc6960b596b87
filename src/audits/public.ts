/** What `sonde/audit` exports besides the audit itself. */
export { AUDIT_RANGES, type AuditOptions } from './audit-options.js';
export type { AuditReport } from './report/audit-report.js';
