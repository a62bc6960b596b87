/** The public door of `audits/`. */
export {
  AUDIT_DEFAULTS,
  AUDIT_RANGES,
  AUDIT_USER_AGENT,
  type AuditOptions,
  completeOptions,
} from './audit-options.js';
export { type AuditRecord, ProcessAuditRecord } from './audit-record.js';
export {
  type ChecksPart,
  type CrawlPart,
  type EndPart,
  type OpeningPart,
  type OwnerPart,
  PART_NAMES,
  type ProbesPart,
  type SamplesPart,
  type SitemapsPart,
} from './crawl/audit-parts.js';
export type {
  AlpnProbe,
  AuditClock,
  AuditPorts,
  DocumentReader,
  ReadDocument,
  TextRecords,
} from './crawl/audit-ports.js';
export { SiteCrawl } from './crawl/site-crawl.js';
export { type DocumentSource, extractDocument } from './extract/extract-document.js';
export { readDocument } from './extract/read-document.js';
export { type AuditReport, RECIPE_VERSION } from './report/audit-report.js';
export type { Rule } from './rule.js';
export { RULES } from './rules/index.js';
export { scoreAudit } from './score/score-audit.js';
export type { Grade } from './score/score-rules.js';
