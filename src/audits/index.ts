/** The public exports of `audits/`. */
export {
  AUDIT_RANGES,
  type AuditOptions,
  completeOptions,
} from './audit-options.js';
export { type AuditRecord, ProcessAuditRecord } from './audit-record.js';
export {
  type Audit,
  type AuditLease,
  type AuditStore,
  PIECE_CHARS,
  PIECES_PER_READ,
} from './audit-store.js';
export { PART_NAMES } from './crawl/audit-parts.js';
export type {
  AlpnProbe,
  AuditPorts,
  DocumentReader,
  FetchBounds,
  ReadDocument,
  TextRecords,
} from './crawl/audit-ports.js';
export { SiteCrawl } from './crawl/site-crawl.js';
export { ownerProof } from './crawl/verify-owner.js';
export type { DocumentSource } from './extract/extract-document.js';
export { RECIPE_VERSION } from './recipe.js';
export type {
  AcceptedFinding,
  AuditReport,
  Grade,
  Issue,
  RuleResult,
} from './report/audit-report.js';
export { diffReports } from './report/diff-reports.js';
export { acceptedFindings, hideFindings } from './report/hide-findings.js';
export { renderCsv } from './report/render-csv.js';
export { renderHtml } from './report/render-html.js';
export { renderMarkdown } from './report/render-markdown.js';
export { type Rendering, renderStored } from './report/render-stored.js';
export {
  bandOf,
  findingsOf,
  fixesSentence,
  gateSentence,
  goneLines,
  hiddenSentence,
  plural,
  reachOf,
  SEVERITIES,
  scoreText,
  spreadOf,
  stoppedSentence,
  verdictSentence,
} from './report/report-words.js';
export { ruleDocsUrl } from './report/rule-docs.js';
export { CATEGORIES, type Rule } from './rule.js';
export { failureTitle } from './rule-title.js';
export { RULES } from './rules/index.js';
export { hasOpening } from './score/read-record.js';
export { scoreAudit } from './score/score-audit.js';
export { pageCount, placesOf } from './tally.js';
