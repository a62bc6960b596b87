/**
 * The queue for the API and other modules: enqueue, read, cancel and retry jobs. Every call is scoped to a tenant; a
 * job of another tenant is reported as not found, like one that never existed.
 */
import { SondeError } from '../errors.js';
import type { Removal } from '../removal.js';
import { isUuid, uuidV7 } from '../uuid.js';
import { isEnded, type Job, type JobEvent } from './job.js';
import { followEvents, type JobNews } from './job-events.js';
import { JOB_KINDS, type JobKind, type KindEntry } from './job-kinds.js';
import { JOB_LIMITS } from './job-limits.js';
import type {
  ChangeOutcome,
  Enqueued,
  JobFilter,
  JobStore,
  NewAudit,
  NewJob,
  QueueCounts,
} from './job-store.js';
import { quotasOf, type Tenant } from './tenant.js';
import { uniqueKey } from './unique-key.js';

export interface JobRequest {
  readonly kind: JobKind;
  readonly payload: unknown;
  /** Generated if absent. A repeat with the same id returns the same job. */
  readonly jobId?: string;
  /** Identifies the work, so that it is not done twice at once. Without it, every job is distinct. */
  readonly idempotencyKey?: string;
  readonly maxAttempts?: number;
  readonly priority?: number;
  readonly audit?: NewAudit;
}

/** The part of the store that callers use; the methods for workers are not part of it. */
export type QueueStore = Pick<
  JobStore,
  'enqueue' | 'get' | 'list' | 'counts' | 'cancel' | 'retry' | 'remove' | 'events'
>;

export interface JobServiceDeps {
  readonly store: QueueStore;
  readonly news: JobNews;
  readonly clock: () => number;
  readonly maxAttempts?: number;
  /** Wakes the workers of this process. */
  onReady?(): void;
  /** Awaited before `cancel` returns, to end what depends on the job. */
  onCancel?(job: Job): Promise<void>;
  /** The job was changed by this process. */
  onChange?(jobId: string): void;
}

export class JobService {
  readonly #deps: JobServiceDeps;

  constructor(deps: JobServiceDeps) {
    this.#deps = deps;
  }

  async enqueue(tenant: Tenant, request: JobRequest): Promise<Enqueued> {
    const [enqueued] = await this.enqueueAll(tenant, [request]);
    if (!enqueued) throw new SondeError('INTERNAL', 'the store did not create the job');
    return enqueued;
  }

  /** All or none. */
  async enqueueAll(tenant: Tenant, requests: readonly JobRequest[]): Promise<readonly Enqueued[]> {
    await this.#refuseOverQuota(tenant, requests.length);
    const enqueued = await this.#deps.store.enqueue(requests.map((request) => this.#jobOf(tenant, request)));
    this.#deps.onReady?.();
    return enqueued;
  }

  /** For a job with a row of its own: `create` inserts both in one transaction. */
  async start<Request extends JobRequest, Created>(
    tenant: Tenant,
    request: Request,
    create: (job: Request & NewJob) => Promise<Created>,
  ): Promise<Created> {
    await this.#refuseOverQuota(tenant, 1);
    const created = await create(this.#jobOf(tenant, request));
    this.#deps.onReady?.();
    return created;
  }

  #jobOf<Request extends JobRequest>(tenant: Tenant, request: Request): Request & NewJob {
    const { clock, maxAttempts = JOB_LIMITS.maxAttempts } = this.#deps;
    const { jobId = uuidV7(clock()), idempotencyKey = uniqueKey(jobId), payload } = request;
    const given = { maxAttempts, ...request, payload: checkedPayload(payload) };
    return { ...given, jobId, idempotencyKey, tenantId: tenant.id };
  }

  async get(tenant: Tenant, jobId: string): Promise<Job> {
    const job = isUuid(jobId) ? await this.#deps.store.get(tenant.id, jobId) : undefined;
    if (!job) throw notFound();
    return job;
  }

  list(tenant: Tenant, filter: JobFilter): Promise<readonly Job[]> {
    return this.#deps.store.list(tenant.id, filter);
  }

  counts(tenant: Tenant): Promise<QueueCounts> {
    return this.#deps.store.counts(tenant.id);
  }

  /** A queued job is canceled when this resolves; a running one is being stopped. */
  async cancel(tenant: Tenant, jobId: string): Promise<Job> {
    const outcome = await this.#change('cancel', tenant, jobId);
    await this.#deps.onCancel?.(outcome);
    this.#deps.onChange?.(jobId);
    return outcome;
  }

  async retry(tenant: Tenant, jobId: string): Promise<Job> {
    refuseErased(await this.get(tenant, jobId));
    const outcome = await this.#change('retry', tenant, jobId);
    this.#deps.onReady?.();
    this.#deps.onChange?.(jobId);
    return outcome;
  }

  /** Deletes a job that has ended, with its events and, if it did an audit, the audit. */
  async remove(tenant: Tenant, jobId: string): Promise<void> {
    const removal = await this.#remove(tenant, jobId);
    if (removal === 'missing') throw notFound();
    if (removal === 'running') throw stillRunning('job', `/api/jobs/${jobId}/cancel`);
  }

  /** Used when the resource of a job is deleted: a job that is already gone, or about to end, is not an error. */
  async removeIfEnded(tenant: Tenant, jobId: string): Promise<void> {
    await this.#remove(tenant, jobId);
  }

  events(tenant: Tenant, jobId: string, page: { readonly after: number; readonly limit: number }) {
    return this.#deps.store.events(tenant.id, jobId, page);
  }

  /** Yields pages of events until the job has ended, and an empty page now and then. */
  follow(
    tenant: Tenant,
    jobId: string,
    { after, signal }: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncGenerator<readonly JobEvent[]> {
    const { store, news } = this.#deps;
    return followEvents(store, news, { tenantId: tenant.id, jobId, after, signal });
  }

  async #remove(tenant: Tenant, jobId: string): Promise<Exclude<Removal, 'more'>> {
    if (!isUuid(jobId)) return 'missing';
    for (let begun = false; ; begun = true) {
      const removal = await this.#deps.store.remove(tenant.id, jobId);
      if (removal === 'more') continue;
      if (removal === 'removed') this.#deps.onChange?.(jobId);
      // Retention may have deleted the rest.
      return removal === 'missing' && begun ? 'removed' : removal;
    }
  }

  async #change(change: 'cancel' | 'retry', tenant: Tenant, jobId: string): Promise<Job> {
    const missing: ChangeOutcome = { kind: 'missing' };
    const outcome = isUuid(jobId) ? await this.#deps.store[change](tenant.id, jobId) : missing;
    if (outcome.kind === 'changed' || outcome.kind === 'unchanged') return outcome.job;
    if (outcome.kind === 'missing') throw notFound();
    if (outcome.kind === 'twin') {
      throw new SondeError('JOB_CONFLICT', `Job ${outcome.jobId} is already doing the same work.`, {
        details: { jobId: outcome.jobId },
      });
    }
    const { status } = outcome.job;
    const why = isEnded(status) ? `has ended as ${status}` : `is ${status}`;
    throw new SondeError('JOB_CONFLICT', `The job ${why}; it cannot be ${PARTICIPLES[change]}.`, {
      details: { status },
    });
  }

  async #refuseOverQuota(tenant: Tenant, more: number): Promise<void> {
    const { jobsQueued } = quotasOf(tenant);
    const { queued } = await this.counts(tenant);
    if (queued + more <= jobsQueued) return;
    throw new SondeError(
      'QUOTA_EXCEEDED',
      `The tenant has ${queued} queued jobs, and its limit is ${jobsQueued}.`,
      {
        details: { quota: 'jobsQueued', max: jobsQueued },
      },
    );
  }
}

function refuseErased({ kind, status }: Job): void {
  const { requestsOf }: KindEntry = JOB_KINDS[kind];
  if (requestsOf === undefined || !isEnded(status)) return;
  throw new SondeError(
    'JOB_CONFLICT',
    `The job cannot be retried, because the requests of its ${requestsOf} were erased when it ended. ` +
      `Start a new ${requestsOf}.`,
    { details: { status } },
  );
}

const PARTICIPLES = { cancel: 'canceled', retry: 'retried' } as const;

/** The refusal to delete unfinished work. `cancel` is the route that ends it. */
export function stillRunning(what: string, cancel: string): SondeError {
  return new SondeError('STILL_RUNNING', `The ${what} has not ended. Cancel it first: POST ${cancel}`, {
    details: { cancel },
  });
}

function notFound(): SondeError {
  return new SondeError('JOB_NOT_FOUND', 'Job not found.');
}

function checkedPayload(payload: unknown): unknown {
  const length = (JSON.stringify(payload) ?? '').length;
  if (length > 0 && length <= JOB_LIMITS.payloadChars) return payload;
  throw new SondeError(
    'JOB_TOO_LARGE',
    `A job's payload can have at most ${JOB_LIMITS.payloadChars} characters of JSON.`,
  );
}
