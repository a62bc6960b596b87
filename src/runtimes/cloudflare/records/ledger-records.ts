/**
 * The records of one tenant in its object: the stores of jobs, audits, suites, idempotency keys and webhooks, the runs
 * of its jobs, and the index of its pairs. Work that is due later is done at the object's alarm, which is set in the
 * same turn as each write.
 */

import { DEFAULT_TENANT } from '../../../api/auth/principal.js';
import type { AuditStore } from '../../../audits/index.js';
import type { SuiteStore } from '../../../compare/index.js';
import { SondeError } from '../../../errors.js';
import {
  createWebhookKey,
  DELIVERY_LIMITS,
  type IdempotencyStore,
  JOB_LIMITS,
  type JobStore,
  JobWakes,
  type Lease,
  QUOTA_NAMES,
  type Quotas,
  sealWebhookUrls,
  type Tenant,
  type TenantStore,
  WebhookDispatcher,
  type WebhookStore,
} from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import { DELAYED, UNDELAYED } from '../../../stores/sqlite/claim-jobs.js';
import { createRecordStores } from '../../../stores/sqlite/record-stores.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';
import type { SyncPort } from '../../../stores/sqlite/sync-port.js';
import { createSecretBox } from '../../../streams/index.js';
import { createRemoteComparisons } from '../compare/remote-comparisons.js';
import type { EdgeEnv } from '../edge-env.js';
import type { EdgeSettings } from '../edge-settings.js';
import { createEdgeWebhookSender } from '../egress/edge-webhook-sender.js';
import type { ObjectAlarm } from '../object-alarm.js';
import { hostEngine } from '../sqlite/host-engine.js';
import { WorkflowRuns } from '../workflows/workflow-runs.js';
import { PairIndex } from './pair-index.js';
import type { RecordCall, RecordPorts, WaitedJob } from './records-rpc.js';

export interface LedgerRecordsDeps {
  readonly env: EdgeEnv;
  readonly storage: DurableObjectStorage;
  readonly database: SqlDatabase;
  readonly settings: EdgeSettings;
  readonly alarm: ObjectAlarm;
  readonly log: Log;
  /** Called when a job has ended, because the alarm may have been only for its run. */
  onJobEnded(): void;
}

type Reading = { readonly [Name in keyof RecordPorts]: readonly (keyof RecordPorts[Name])[] };

export const RECORD_READING: Reading = {
  jobs: ['get', 'list', 'events', 'glance', 'counts', 'overview', 'steps'],
  audits: ['get', 'list', 'getPart', 'getPieces'],
  suites: ['getSuite', 'getSuitePaths', 'getSuiteSealed', 'listSuites'],
  idempotency: [],
  webhooks: ['get', 'list'],
};

/** Due work that failed is retried after this long. */
const AGAIN_MS = 30_000;
const PRUNE_LATER_MS = 3_600_000;
const WEBHOOK_PURPOSE = 'sonde tenant webhook urls';
const PRUNED_MAX = 100;
/** Steps per alarm; the next alarm follows soon if more are left. */
const PRUNE_STEPS_MAX = 20;

export class LedgerRecords {
  readonly #deps: LedgerRecordsDeps;
  readonly #stores: RecordPorts;
  readonly #tenants: TenantStore;
  readonly pairs: PairIndex;
  readonly ownPairs: PairIndex;
  readonly #runs: WorkflowRuns;
  readonly #dispatcher: WebhookDispatcher;
  readonly #wakes = new JobWakes();

  constructor(deps: LedgerRecordsDeps) {
    this.#deps = deps;
    const { env, storage, database, settings, log } = deps;
    const { edge, jobs } = settings;
    const engines = createRecordStores(database, Date.now);
    const host = <Port extends object>(engine: SyncPort<Port>, reading: readonly (keyof Port)[]) =>
      hostEngine<Port>(storage, engine, { reading: new Set(reading), onWritten: () => this.plan() });
    this.#stores = {
      jobs: host<JobStore>(engines.jobs, RECORD_READING.jobs),
      audits: host<AuditStore>(engines.audits, RECORD_READING.audits),
      suites: host<SuiteStore>(engines.suites, RECORD_READING.suites),
      idempotency: host<IdempotencyStore>(engines.idempotency, RECORD_READING.idempotency),
      webhooks: sealWebhookUrls(
        host<WebhookStore>(engines.webhooks, RECORD_READING.webhooks),
        createSecretBox(edge.keysFor(WEBHOOK_PURPOSE), WEBHOOK_PURPOSE),
      ),
    };
    this.#tenants = host<TenantStore>(engines.tenants, ['bySlug', 'list']);
    this.pairs = new PairIndex(database, 'pair_index');
    this.ownPairs = new PairIndex(database, 'own_pair_index');
    this.#runs = new WorkflowRuns({
      env,
      database,
      jobs: this.#stores.jobs,
      rows: { comparisons: createRemoteComparisons(env), suites: this.#stores.suites },
      log,
      quietMs: edge.quietMs,
      onEnded: (jobId) => this.#wakes.wake(jobId),
    });
    this.#dispatcher = new WebhookDispatcher({
      store: this.#stores.webhooks,
      outbound: createEdgeWebhookSender(settings),
      key: createWebhookKey(jobs.webhookSecret ?? edge.keyFor('sonde webhooks of tenants')),
      log,
      clock: Date.now,
      random: Math.random,
    });
  }

  async call({ store, method, args }: RecordCall): Promise<unknown> {
    const port = this.#stores[store] as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const response = await port[method]?.(...args);
    if (store === 'jobs') this.#afterJobCall(method, args);
    if (method === 'createSuite') void this.#runs.dispatch();
    return response;
  }

  async tenant(slug: string): Promise<Tenant> {
    const quotas = this.#deps.settings.edge.quotas.get(slug) ?? {};
    const known = await this.#tenants.bySlug(slug);
    if (known && sameQuotas(known.quotas, quotas)) return known;
    const name = slug === DEFAULT_TENANT ? 'Default' : slug;
    // Stored here too, because the quotas in this row limit claims.
    const tenant = known
      ? await this.#tenants.setQuotas(slug, { ...NO_QUOTAS, ...quotas })
      : await this.#tenants.create({ id: slug, slug, name, quotas });
    if (!tenant) throw new SondeError('INTERNAL', 'the tenant could not be created');
    return tenant;
  }

  /** Resolves at once if there are events that the reader has not seen. */
  async awaitNews({ jobId, after }: WaitedJob, ms: number): Promise<void> {
    if (this.#deps.database.all(SELECT_SILENT, [jobId, after]).length === 0) return;
    return this.#wakes.wait({ jobId }, ms, new AbortController().signal);
  }

  get jobs(): Pick<JobStore, 'get' | 'glance'> {
    return this.#stores.jobs;
  }

  /** Does all work that is due, and sets the alarm for later work. */
  async onAlarm(): Promise<void> {
    const { settings } = this.#deps;
    await this.#runs.watch();
    await this.#runs.dispatch();
    await this.#deliverWebhooks();
    const { jobs, idempotency, webhooks } = this.#stores;
    const prunes = [
      () => jobs.prune({ olderThanMs: settings.jobs.retentionMs, limit: JOB_LIMITS.pruneMax }),
      () => webhooks.prune({ olderThanMs: DELIVERY_LIMITS.keepMs, limit: PRUNED_MAX }),
      () => idempotency.prune(PRUNED_MAX),
    ];
    for (const prune of prunes) await this.#pruneAll(prune);
    this.plan();
  }

  async #pruneAll(prune: () => Promise<number>): Promise<void> {
    for (let steps = 0; steps < PRUNE_STEPS_MAX; steps++) if ((await prune()) === 0) return;
    this.#deps.alarm.wakeBy(Date.now() + AGAIN_MS);
  }

  #afterJobCall(method: string, args: readonly unknown[]): void {
    const [first, second] = args;
    if (method === 'renew' || method === 'settle') {
      for (const { jobId } of first as readonly Lease[]) this.#wakes.wake(jobId);
    }
    if (method === 'cancel' || method === 'retry' || method === 'remove') this.#wakes.wake(String(second));
    if (method === 'enqueue' || method === 'settle' || method === 'retry') void this.#runs.dispatch();
    if (method === 'settle') {
      this.#deps.onJobEnded();
      void this.#deliverWebhooks();
    }
  }

  async #deliverWebhooks(): Promise<void> {
    await this.#dispatcher.deliverDue().catch((error: unknown) => {
      this.#deps.log.warn('webhooks could not be delivered', { err: error });
    });
  }

  /** Also called on construction, because the platform drops an alarm that failed several times. */
  plan(): void {
    const dueAt = this.dueAt(Date.now());
    if (dueAt !== undefined) this.#deps.alarm.wakeBy(dueAt);
  }

  dueAt(now: number): number | undefined {
    const { database, settings } = this.#deps;
    const [row] = database.all(SELECT_DUE, [settings.jobs.retentionMs]);
    const { pruned, ...due } = row ?? {};
    const times = Object.values(due).flatMap((at) =>
      typeof at === 'number' ? [at > now ? at : now + AGAIN_MS] : [],
    );
    // Pruning is not urgent, so everything that ended within one hour is removed together.
    if (typeof pruned === 'number') times.push(Math.max(pruned, now) + PRUNE_LATER_MS);
    return times.length > 0 ? Math.min(...times) : undefined;
  }
}

const NO_QUOTAS = Object.fromEntries(QUOTA_NAMES.map((name) => [name, null]));

function sameQuotas(a: Partial<Quotas>, b: Partial<Quotas>): boolean {
  return QUOTA_NAMES.every((name) => a[name] === b[name]);
}

const SELECT_SILENT = `SELECT 1 FROM audit_jobs
  WHERE job_id = ? AND status IN ('queued', 'running') AND event_seq <= ?`;
const SELECT_DUE = `SELECT
  (SELECT min(locked_until) FROM audit_jobs WHERE status = 'running') AS silent,
  (SELECT run_at FROM audit_jobs WHERE ${UNDELAYED} ORDER BY queued_at LIMIT 1) AS ready,
  (SELECT min(run_at) FROM audit_jobs WHERE ${DELAYED}) AS delayed,
  (SELECT min(due_at) FROM webhook_deliveries WHERE state = 'due') AS due,
  (SELECT min(finished_at) + ?1 FROM audit_jobs WHERE status IN ('done', 'failed', 'canceled')) AS pruned`;
