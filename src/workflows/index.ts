/** The public door of `workflows/`. */
export { auditSite } from './audit-site.js';
