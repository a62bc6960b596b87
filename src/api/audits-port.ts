/** What the audit routes need besides the store: a queue that takes an audit in, and can be told to let it go. */
import type { AuditOptions, AuditRow, AuditStore } from '../audits/index.js';

export interface AuditRequest {
  readonly tenant: string;
  readonly url: string;
  readonly options: AuditOptions;
  /** A finished audit that is not older is given back in place of a new one; 0 never. */
  readonly reuseSeconds: number;
  readonly idempotencyKey?: string;
}

export interface AuditsPort {
  readonly store: AuditStore;
  /** The store's name for a tenant. */
  tenantId(tenant: string): Promise<string>;
  /** `replayed`: an audit of the same work that was there already. */
  enqueue(request: AuditRequest): Promise<{ readonly audit: AuditRow; readonly replayed: boolean }>;
  /** The audit after the request to stop; null where the tenant has none of this id. */
  cancel(tenant: string, id: string): Promise<AuditRow | null>;
}
