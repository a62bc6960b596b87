/**
 * The port of stored audits: one row an audit, and its record part by part. Rows belong to a tenant and are
 * never seen by another. A row ends once; a second end, whoever asks for it, changes nothing and says so. URLs
 * in a row are redacted by whoever creates it; the record redacts itself.
 */
import type { AuditOptions } from './audit-options.js';
import type { AuditRecord } from './audit-record.js';

export const AUDIT_STATUSES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type AuditStatus = (typeof AUDIT_STATUSES)[number];
export type AuditEnd = Extract<AuditStatus, 'done' | 'failed' | 'canceled'>;

export interface AuditRow {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  readonly canonicalUrl: string;
  readonly options: AuditOptions;
  readonly recipeVersion: string;
  readonly status: AuditStatus;
  /** Set with the report, when the audit is done. */
  readonly score: number | null;
  /** The part of the record that holds the report. */
  readonly reportRef: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

export type NewAudit = Pick<
  AuditRow,
  'id' | 'tenantId' | 'url' | 'canonicalUrl' | 'options' | 'recipeVersion' | 'createdAt'
>;

export interface AuditEnding {
  readonly id: string;
  readonly status: AuditEnd;
  readonly score: number | null;
  readonly reportRef: string | null;
  readonly finishedAt: number;
}

/** A place in a list: newest first, ties by id. */
export interface AuditCursor {
  readonly createdAt: number;
  readonly id: string;
}

export const AUDITS_PER_PAGE_MAX = 100;

export interface AuditStore {
  /** Safe to repeat: an audit that is there already stays as it is. */
  createAudit(audit: NewAudit): Promise<AuditRow>;
  getAudit(tenantId: string, id: string): Promise<AuditRow | null>;
  /** At most `limit` (and never more than `AUDITS_PER_PAGE_MAX`) audits older than `before`. */
  listAudits(
    tenantId: string,
    page: { readonly limit: number; readonly before?: AuditCursor },
  ): Promise<readonly AuditRow[]>;
  /** From queued to running; false where it had moved on. */
  startAudit(id: string): Promise<boolean>;
  /** False where the audit had ended already. */
  finishAudit(ending: AuditEnding): Promise<boolean>;
  recordOf(id: string): AuditRecord;
  /** The audit and its record, ended or not; false where there was none. */
  removeAudit(tenantId: string, id: string): Promise<boolean>;
}
