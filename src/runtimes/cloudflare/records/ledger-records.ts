/**
 * The records of one tenant in its object: the stores of jobs, audits, idempotency keys and webhooks, the runs of
 * its jobs, and the index of its pairs. Whatever is due later is due at the object's alarm, which is planned in the
 * turn of each write.
 */

import { DEFAULT_TENANT } from '../../../api/auth/principal.js';
import { createWebhookDoor } from '../../../api/webhook-door.js';
import type { AuditStore } from '../../../audits/index.js';
import type { PairSummary } from '../../../compare/index.js';
import { SondeError } from '../../../errors.js';
import {
  createWebhookKey,
  type IdempotencyStore,
  JOB_LIMITS,
  type JobStore,
  JobWakes,
  type Lease,
  type Tenant,
  type TenantStore,
  WebhookDispatcher,
  type WebhookStore,
} from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import { createRecordStores } from '../../../stores/sqlite/record-stores.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';
import type { SyncPort } from '../../../stores/sqlite/sync-port.js';
import type { EdgeEnv } from '../edge-env.js';
import type { EdgeSettings } from '../edge-settings.js';
import { createEdgeDoor } from '../egress/edge-door.js';
import type { ObjectAlarm } from '../object-alarm.js';
import { hostEngine } from '../sqlite/host-engine.js';
import { WorkflowRuns } from '../workflows/workflow-runs.js';
import { PairIndex } from './pair-index.js';
import type { RecordCall, RecordPorts } from './records-rpc.js';

export interface LedgerRecordsParts {
  readonly env: EdgeEnv;
  readonly storage: DurableObjectStorage;
  readonly database: SqlDatabase;
  readonly settings: EdgeSettings;
  readonly alarm: ObjectAlarm;
  readonly log: Log;
}

type Reading = { readonly [Name in keyof RecordPorts]: readonly (keyof RecordPorts[Name])[] };

export const RECORD_READING: Reading = {
  jobs: ['get', 'list', 'events', 'counts', 'steps'],
  audits: ['get', 'list', 'getPart'],
  idempotency: [],
  webhooks: ['get', 'list'],
};

/** What is due and could not be done is tried again after this long. */
const AGAIN_MS = 10_000;
const PRUNED_KEYS_MAX = 500;

export class LedgerRecords {
  readonly #parts: LedgerRecordsParts;
  readonly #stores: RecordPorts;
  readonly #tenants: TenantStore;
  readonly #pairs: PairIndex;
  readonly #runs: WorkflowRuns;
  readonly #dispatcher: WebhookDispatcher;
  readonly #wakes = new JobWakes();

  constructor(parts: LedgerRecordsParts) {
    this.#parts = parts;
    const { env, storage, database, settings, log } = parts;
    const { net, edge, jobs } = settings;
    const engines = createRecordStores(database, Date.now);
    const host = <Port extends object>(engine: SyncPort<Port>, reading: readonly (keyof Port)[]) =>
      hostEngine<Port>(storage, engine, { reading: new Set(reading), onWritten: () => this.plan() });
    this.#stores = {
      jobs: host<JobStore>(engines.jobs, RECORD_READING.jobs),
      audits: host<AuditStore>(engines.audits, RECORD_READING.audits),
      idempotency: host<IdempotencyStore>(engines.idempotency, RECORD_READING.idempotency),
      webhooks: host<WebhookStore>(engines.webhooks, RECORD_READING.webhooks),
    };
    this.#tenants = host<TenantStore>(engines.tenants, ['bySlug', 'list']);
    this.#pairs = new PairIndex(database);
    this.#runs = new WorkflowRuns({
      env,
      database,
      jobs: this.#stores.jobs,
      log,
      quietMs: edge.quietMs,
      onEnded: (jobId) => this.#wakes.wake(jobId),
    });
    this.#dispatcher = new WebhookDispatcher({
      store: this.#stores.webhooks,
      door: createWebhookDoor({
        net: { ...net, dohUrl: edge.dohUrl },
        openDoor: createEdgeDoor,
        openLoopback: settings.server.auth === 'none',
      }),
      key: createWebhookKey(jobs.webhookSecret ?? edge.keyFor('sonde webhooks of tenants')),
      log,
      clock: Date.now,
      random: Math.random,
    });
  }

  async call({ store, method, args }: RecordCall): Promise<unknown> {
    const port = this.#stores[store] as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const answer = await port[method]?.(...args);
    if (store === 'jobs') this.#heed(method, args);
    return answer;
  }

  async tenant(slug: string): Promise<Tenant> {
    const known = await this.#tenants.bySlug(slug);
    if (known) return known;
    const name = slug === DEFAULT_TENANT ? 'Default' : slug;
    const made = await this.#tenants.create({ id: slug, slug, name, quotas: {} });
    if (!made) throw new SondeError('INTERNAL', 'the tenant could not be made');
    return made;
  }

  awaitNews(jobId: string, ms: number): Promise<void> {
    return this.#wakes.wait({ jobId }, ms, new AbortController().signal);
  }

  notePair(pair: PairSummary): void {
    this.#pairs.note(pair);
  }

  listPairs(limit: number): readonly PairSummary[] {
    return this.#pairs.list(limit);
  }

  /** Whatever is due by now; what is due later gets its alarm. */
  async onAlarm(): Promise<void> {
    const { log, settings } = this.#parts;
    await this.#runs.watch();
    await this.#runs.dispatch();
    await this.#dispatcher.deliverDue().catch((error: unknown) => {
      log.warn('webhooks could not be delivered', { err: error });
    });
    const { jobs, idempotency } = this.#stores;
    await jobs.prune({ olderThanMs: settings.jobs.retentionMs, limit: JOB_LIMITS.pruneMax });
    await idempotency.prune(PRUNED_KEYS_MAX);
    this.plan();
  }

  #heed(method: string, args: readonly unknown[]): void {
    const [first, second] = args;
    if (method === 'renew' || method === 'settle') {
      for (const { jobId } of first as readonly Lease[]) this.#wakes.wake(jobId);
    }
    if (method === 'cancel' || method === 'retry') this.#wakes.wake(String(second));
    if (method === 'enqueue' || method === 'settle' || method === 'retry') void this.#runs.dispatch();
    if (method === 'settle') {
      this.#dispatcher.deliverDue().catch((error: unknown) => {
        this.#parts.log.warn('webhooks could not be delivered', { err: error });
      });
    }
  }

  /** Also when the object is made: the platform gives up an alarm that failed several times. */
  plan(): void {
    const [row] = this.#parts.database.all(SELECT_DUE, []);
    const now = Date.now();
    for (const at of Object.values(row ?? {})) {
      if (typeof at === 'number') this.#parts.alarm.wakeBy(at > now ? at : now + AGAIN_MS);
    }
  }
}

const SELECT_DUE = `SELECT
  (SELECT min(locked_until) FROM audit_jobs WHERE status = 'running') AS silent,
  (SELECT min(run_at) FROM audit_jobs WHERE status = 'queued') AS ready,
  (SELECT min(due_at) FROM webhook_deliveries WHERE state = 'due') AS due`;
