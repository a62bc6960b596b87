/** The public exports of `jobs/`: the queue's port and rules, the worker, tenants, events and webhooks. */
export { type Backoff, backoffCeilingMs, backoffMs } from './backoff.js';
export { decideJob, type JobEventKind, type JobSnapshot, type JobVerdict } from './decide-job.js';
export { createHelloHandler, HELLO_LIMITS, type HelloDeps, HelloPayload } from './hello-job.js';
export type {
  IdempotencyOutcome,
  IdempotencyOwner,
  IdempotencyRequest,
  IdempotencyStore,
  StoredResponse,
} from './idempotency-store.js';
export {
  ENDED_STATUSES,
  type EndedStatus,
  EVENT_TYPES,
  type EventType,
  isEnded,
  JOB_STATUSES,
  type Job,
  type JobEvent,
  type JobStatus,
  LEASE_EXPIRED,
  type Lease,
  type NewJobEvent,
} from './job.js';
export { EVENT_POLL_MS, followEvents, type JobAddress, type JobNews, JobWakes } from './job-events.js';
export { isPermanent, JobFailure } from './job-failure.js';
export type { JobHandler, JobHandlers, JobRun } from './job-handler.js';
export { JOB_KINDS, type JobKind, KIND_NAMES } from './job-kinds.js';
export { heartbeatMs, JOB_LIMITS } from './job-limits.js';
export { type JobRequest, JobService, type QueueStore, stillRunning } from './job-service.js';
export type {
  ChangeOutcome,
  Claimed,
  ClaimedJob,
  ClaimRequest,
  Enqueued,
  JobFilter,
  JobGlance,
  JobHint,
  JobHints,
  JobStore,
  NewAudit,
  NewJob,
  QueueCounts,
  QueueOverview,
  Reaped,
  ReapRequest,
  RecordedStep,
  Renewal,
  RenewOutcome,
  Settlement,
  StepWrite,
  WorkerLeases,
} from './job-store.js';
export { JobWorker, type WorkerDeps, type WorkerOptions } from './job-worker.js';
export { pause } from './recorded-steps.js';
export { type HeldRunDeps, runHeldJob } from './run-held-job.js';
export type { Progress, RunContext, StepOptions, Steps } from './steps.js';
export {
  checkQuotas,
  checkSlug,
  checkTenantName,
  QUOTA_DEFAULTS,
  QUOTA_NAMES,
  type Quotas,
  quotasOf,
  readQuotas,
  type Tenant,
  type TenantStore,
} from './tenant.js';
export { TENANT_CACHE, TenantDirectory } from './tenant-directory.js';
export { uniqueKey } from './unique-key.js';
export { sealWebhookUrls } from './webhooks/seal-webhook-urls.js';
export { createWebhookKey, signWebhook, type WebhookKey, writtenSecret } from './webhooks/sign-webhook.js';
export {
  type DeliverySettlement,
  type DueDelivery,
  type NewWebhook,
  WEBHOOK_EVENT_TYPES,
  type Webhook,
  type WebhookEventType,
  type WebhookStore,
} from './webhooks/webhook.js';
export { DELIVERY_LIMITS, type DeliveryClient, WebhookDispatcher } from './webhooks/webhook-dispatcher.js';
