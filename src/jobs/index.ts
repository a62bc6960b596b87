/** The public exports of `jobs/`: the queue's port and rules, the worker, tenants, events and webhooks. */
export { backoffCeilingMs, backoffMs } from './backoff.js';
export { decideJob, type JobEventKind, type JobSnapshot, type JobVerdict } from './decide-job.js';
export { createHelloHandler, HelloPayload } from './hello-job.js';
export type {
  IdempotencyOutcome,
  IdempotencyOwner,
  IdempotencyRequest,
  IdempotencyStore,
  StoredResponse,
} from './idempotency-store.js';
export {
  EVENT_TYPES,
  isEnded,
  JOB_STATUSES,
  type Job,
  type JobEvent,
  type JobStatus,
  LEASE_EXPIRED,
  type Lease,
  type NewJobEvent,
} from './job.js';
export { EVENT_POLL_MS, type JobNews, JobWakes } from './job-events.js';
export { isPermanent } from './job-failure.js';
export type { JobHandler, JobHandlers, JobRun } from './job-handler.js';
export { JOB_KINDS, type JobKind, KIND_NAMES } from './job-kinds.js';
export { JOB_LIMITS } from './job-limits.js';
export { JobService, type QueueStore, stillRunning } from './job-service.js';
export type {
  ChangeOutcome,
  Claimed,
  ClaimedJob,
  ClaimRequest,
  Enqueued,
  JobFilter,
  JobGlance,
  JobHints,
  JobStore,
  NewJob,
  QueueOverview,
  Reaped,
  ReapRequest,
  Renewal,
  RenewOutcome,
  Settlement,
  StepWrite,
  WorkerShare,
} from './job-store.js';
export { JobWorker } from './job-worker.js';
export { pause } from './recorded-steps.js';
export { runHeldJob } from './run-held-job.js';
export { statusAfter } from './settle-job.js';
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
export { TenantDirectory } from './tenant-directory.js';
export { uniqueKey } from './unique-key.js';
export { sealWebhookUrls } from './webhooks/seal-webhook-urls.js';
export { createWebhookKey, type WebhookKey, writtenSecret } from './webhooks/sign-webhook.js';
export {
  type DeliveryClaim,
  type DeliverySettlement,
  type DueDelivery,
  type NewWebhook,
  WEBHOOK_EVENT_TYPES,
  type Webhook,
  type WebhookEventType,
  type WebhookStore,
} from './webhooks/webhook.js';
export { DELIVERY_LIMITS, WebhookDispatcher } from './webhooks/webhook-dispatcher.js';
