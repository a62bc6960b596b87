/** Maps rows of jobs, tenants, audits and webhooks to the ports' types, for every SQL engine. */
import type { Audit } from '../../audits/audit-store.js';
import {
  type ClaimedJob,
  type DueDelivery,
  type Job,
  type JobEvent,
  type JobGlance,
  type JobKind,
  type JobStatus,
  type QueueOverview,
  readQuotas,
  type Tenant,
  type Webhook,
  type WebhookEventType,
} from '../../jobs/index.js';
import { numberOrNull, type PortableRow, textOrNull } from './sql-work.js';

/** Converters for columns whose types differ between engines. */
export interface ColumnTypes {
  /** A time in milliseconds. */
  ms(value: unknown): number;
  json(value: unknown): unknown;
  flag(value: unknown): boolean;
}

export function jobRows({ ms, json, flag }: ColumnTypes) {
  const msOrNull = orNull(ms);
  const shared = (row: PortableRow) => ({
    jobId: String(row['job_id']),
    tenantId: String(row['tenant_id']),
    auditId: textOrNull(row['audit_id']),
    kind: row['kind'] as JobKind,
    attempt: Number(row['attempt']),
    maxAttempts: Number(row['max_attempts']),
    payload: json(row['payload_json']),
    leaseToken: Number(row['lease_token']),
    eventSeq: Number(row['event_seq']),
    progressPct: numberOrNull(row['progress_pct']),
  });
  return {
    jobOf: (row: PortableRow): Job => ({
      ...shared(row),
      status: row['status'] as JobStatus,
      queuedAt: ms(row['queued_at']),
      runAt: ms(row['run_at']),
      startedAt: msOrNull(row['started_at']),
      finishedAt: msOrNull(row['finished_at']),
      lockedUntil: msOrNull(row['locked_until']),
      lockedBy: textOrNull(row['locked_by']),
      idempotencyKey: String(row['idempotency_key']),
      lastError: textOrNull(row['last_error']),
      priority: Number(row['priority']),
      cancelRequested: flag(row['cancel_requested']),
    }),

    claimedOf: (row: PortableRow): ClaimedJob => ({
      ...shared(row),
      tenant: String(row['slug']),
      ranMs: Number(row['ran_ms']),
    }),

    glanceOf: (row: PortableRow): JobGlance => ({
      jobId: String(row['job_id']),
      auditId: textOrNull(row['audit_id']),
      kind: row['kind'] as JobKind,
      status: row['status'] as JobStatus,
      eventSeq: Number(row['event_seq']),
    }),

    workerOf: (row: PortableRow): QueueOverview['workers'][number] => ({
      workerId: String(row['locked_by']),
      jobs: Number(row['jobs']),
      leaseUntil: ms(row['lease_until']),
      oldestStartedAt: ms(row['started_at']),
    }),

    eventOf: (row: PortableRow): JobEvent => ({
      eventId: String(row['event_id']),
      jobId: String(row['job_id']),
      auditId: textOrNull(row['audit_id']),
      seq: Number(row['seq']),
      type: row['event_type'] as JobEvent['type'],
      message: textOrNull(row['message']),
      data: row['data_json'] === null ? null : (json(row['data_json']) as JobEvent['data']),
      progressPct: numberOrNull(row['progress_pct']),
      createdAt: ms(row['created_at']),
    }),
  };
}

export function recordRows({ ms, json }: ColumnTypes) {
  const msOrNull = orNull(ms);
  return {
    tenantOf: (row: PortableRow): Tenant => ({
      id: String(row['id']),
      slug: String(row['slug']),
      name: String(row['name']),
      quotas: readQuotas(json(row['quotas_json'])),
      createdAt: ms(row['created_at']),
    }),

    auditOf: (row: PortableRow): Audit => ({
      auditId: String(row['id']),
      jobId: String(row['job_id']),
      tenantId: String(row['tenant_id']),
      url: String(row['url']),
      canonicalUrl: String(row['canonical_url']),
      options: json(row['options_json']),
      recipeVersion: String(row['recipe_version']),
      status: String(row['status']) as Audit['status'],
      score: numberOrNull(row['score']),
      reportRef: textOrNull(row['report_ref']),
      lastError: textOrNull(row['last_error']),
      progressPct: numberOrNull(row['progress_pct']),
      createdAt: ms(row['created_at']),
      finishedAt: msOrNull(row['finished_at']),
    }),

    webhookOf: (row: PortableRow): Webhook => ({
      webhookId: String(row['webhook_id']),
      tenantId: String(row['tenant_id']),
      url: String(row['url']),
      events: json(row['events_json']) as Webhook['events'],
      keyId: String(row['key_id']),
      createdAt: ms(row['created_at']),
      lastStatus: textOrNull(row['last_status']),
      lastAt: msOrNull(row['last_at']),
    }),

    deliveryOf: (row: PortableRow): DueDelivery => ({
      deliveryId: String(row['delivery_id']),
      webhookId: String(row['webhook_id']),
      tenantId: String(row['tenant_id']),
      url: String(row['url']),
      type: row['event_type'] as WebhookEventType,
      data: json(row['data_json']),
      createdAt: ms(row['created_at']),
      attempt: Number(row['attempt']),
    }),
  };
}

const orNull =
  (read: ColumnTypes['ms']) =>
  (value: unknown): number | null =>
    value === null ? null : read(value);
