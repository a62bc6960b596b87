/**
 * Composes jobs, tenants and webhooks: on PostgreSQL if a database is configured, otherwise on a SQLite file in the
 * data folder. Used by the server and by the standalone worker.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { DEFAULT_TENANT } from '../../../api/auth/principal.js';
import type { RevokedSessions } from '../../../api/auth/revoked-sessions.js';
import { createAppRecords } from '../../../api/records.js';
import type { ActAsTenant } from '../../../api/routes/demo.js';
import type { AuditStore } from '../../../audits/index.js';
import type { ComparisonStore, SuiteStore } from '../../../compare/index.js';
import type { Settings } from '../../../config/settings.js';
import {
  createHelloHandler,
  type IdempotencyStore,
  type JobHandler,
  type JobHandlers,
  type JobHints,
  type JobStore,
  JobWakes,
  JobWorker,
  type TenantStore,
  type WebhookStore,
} from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import { createPolicy, createRedactor } from '../../../net/index.js';
import type { WaitingDeliveries } from '../../../stores/portable/waiting-deliveries.js';
import { TENANT_TURNS, TenantTurns } from '../../../tenant-turns.js';
import { uuidV7 } from '../../../uuid.js';
import { createAuditHandler } from '../../../workflows/index.js';
import { composeAudits } from '../audit/compose-audits.js';
import { createDocumentThreads } from '../audit/document-threads.js';
import type { BuiltUrls } from '../built-urls.js';
import { ownAddresses } from '../egress/own-addresses.js';
import { createOutboundClient, type OutboundOptions } from '../net.js';
import { nextTurn } from '../next-turn.js';
import { openRecordsHost } from '../records/records-host.js';
import type { SealedRowSource } from './check-seals.js';
import { composeCompare } from './compose-compare.js';
import { composeJobWebhooks } from './compose-job-webhooks.js';
import type { DatabaseFigures } from './database-metrics.js';
import { DELIVERIES_COUNTED_MAX, type RecordFigures, SettledCounts } from './record-metrics.js';
import { type OldComparisons, startRetention } from './retention-sweeps.js';
import { sealingKeys } from './sealing-keys.js';
import type { ServerSecrets } from './secrets.js';
import type { StoreThread } from './store-metrics.js';
import { waitForDatabase } from './wait-for-database.js';

export interface StoreOptions {
  readonly settings: Pick<Settings, 'server' | 'jobs' | 'compare'>;
  readonly urls: Pick<BuiltUrls, 'recordsWorker' | 'migrations'>;
  /** How long to wait at the start for an unavailable database. */
  readonly databaseWaitMs?: number;
  readonly log: Log;
}

export interface RecordsOptions extends StoreOptions {
  readonly settings: Pick<Settings, 'server' | 'jobs' | 'compare' | 'audit' | 'explain'>;
  readonly urls: Pick<BuiltUrls, 'recordsWorker' | 'migrations' | 'documentWorker'>;
  readonly secrets: Pick<ServerSecrets, 'sealing' | 'webhooks'>;
  readonly net: OutboundOptions;
  /** Runs the work of a tenant's job. */
  readonly actAs?: ActAsTenant;
  /** Lets webhooks call loopback receivers. */
  readonly openLoopback: boolean;
}

export interface RecordStoreSet {
  readonly jobs: JobStore;
  readonly tenants: TenantStore;
  readonly idempotency: IdempotencyStore;
  readonly webhooks: WebhookStore;
  readonly audits: AuditStore;
  readonly comparisons: ComparisonStore;
  readonly suites: SuiteStore;
  readonly revokedSessions: RevokedSessions;
  readonly oldComparisons: OldComparisons;
  readonly sealedRows: SealedRowSource;
  readonly deliveryCounts: {
    waiting(query: { readonly keyId: string; readonly limit: number }): Promise<WaitingDeliveries>;
  };
  /** Absent if the stores are in a file. */
  readonly database?: DatabaseFigures;
  /** What works but needs attention. */
  notes?(): readonly string[];
  /** Absent if there is only this process. */
  readonly hints?: JobHints;
  /** Absent if the stores are in an external database. */
  readonly thread?: StoreThread;
  close(): Promise<void>;
}

export async function openRecordStores(options: StoreOptions): Promise<RecordStoreSet> {
  const { server, jobs, compare } = options.settings;
  if (jobs.databaseUrl !== undefined) {
    // Imported on demand: the driver is a tenth of the code loaded at startup, and an embedded server does not need it.
    const { openClusterStores } = await import('./open-cluster-stores.js');
    return openClusterStores(jobs.databaseUrl, options);
  }
  const path = join(server.data, 'records.db');
  const workerUrl = options.urls.recordsWorker;
  const host = await openRecordsHost({ path, comparisonsKept: compare.kept, workerUrl, log: options.log });
  return { ...host.stores, thread: host, close: () => host.close() };
}

/** What needs the record stores. Streams and the proxy work without them. */
const RECORD_PARTS = ['jobs', 'audits', 'comparisons', 'suites', 'webhooks'];
/** Requests of audits and hello jobs. The pool of an origin never runs out: a tenant waits only for its own. */
const REQUESTS_AT_ONCE = { max: 192, perTenant: 96 } as const;
const CONNECTIONS_PER_ORIGIN = REQUESTS_AT_ONCE.max + 2 * TENANT_TURNS.guestsMax;

export async function composeRecords(options: RecordsOptions, clock: () => number) {
  const stores = await openRecordStores(options);
  try {
    return { ...(await compose(options, stores, clock)), thread: stores.thread };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function createDefaultTenant(
  options: RecordsOptions,
  stores: RecordStoreSet,
  clock: () => number,
): Promise<void> {
  const tenant = { id: uuidV7(clock()), slug: DEFAULT_TENANT, name: 'Default', quotas: {} };
  const create = () => stores.tenants.create(tenant);
  // The database was reachable for the migrations, but may be down again.
  await (options.settings.jobs.databaseUrl === undefined ? create() : waitForDatabase(options, create));
}

async function compose(options: RecordsOptions, stores: RecordStoreSet, clock: () => number) {
  const { settings, urls, net, log } = options;
  const { jobs, compare } = settings;
  await createDefaultTenant(options, stores, clock);
  const wakes = new JobWakes();
  const redactor = createRedactor();
  const { outbound, turns } = openJobRequests(net);
  const documents = createDocumentThreads(urls.documentWorker);
  const audits = composeAudits(outbound, { ...net, bounds: settings.audit }, documents);
  const monotonic = () => performance.now();
  const keys = await sealingKeys({ ...jobs, secrets: options.secrets, log });
  const comparing = composeCompare({ settings, net, sealingKeys: keys }, stores, clock);
  const webhooks = await composeJobWebhooks(options, stores, { keys, clock, openSide: comparing.openSide });
  const handlers: JobHandlers = {
    hello: createHelloHandler({ fetch: (request) => outbound.fetch(request), clock, turns }),
    audit: createAuditHandler({ ports: audits.ports, store: stores.audits, turns, turn: nextTurn }),
    ...comparing.handlers,
  };
  const settled = new SettledCounts();
  const worker = new JobWorker({
    log,
    random: Math.random,
    clock: monotonic,
    store: stores.jobs,
    onSettled(settlement) {
      settled.add(settlement);
      webhooks.dispatcher.wakeSoon();
    },
    handlers: actAsTenant(handlers, options.actAs),
    wakes,
    redactor,
    ...(stores.hints && { hints: stores.hints }),
    options: { ...jobs, workerId: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}` },
  });
  const isWorker = jobs.concurrency > 0;
  if (isWorker) {
    await worker.start();
    webhooks.dispatcher.start();
  }
  const sweeps = startRetention(stores, { jobs, compare, log });
  return {
    records: createAppRecords({
      ...stores,
      monotonic,
      jobs: {
        store: stores.jobs,
        news: wakes,
        clock,
        maxAttempts: jobs.maxAttempts,
        onReady: () => isWorker && worker.wake(),
        onCancel: async ({ jobId }) => worker.checkLease(jobId),
        onChange: (jobId) => wakes.wake(jobId),
      },
      webhooks: webhooks.forRecords,
      policy: createPolicy({ ...net, ownAddresses }),
      redactor,
    }),
    comparisons: comparing.comparisons,
    revokedSessions: stores.revokedSessions,
    readiness: {
      name: 'jobs',
      stops: RECORD_PARTS,
      check: shareRunning(() => checkWrites(stores)),
      notes: () => [...webhooks.lostSeals, ...(stores.notes?.() ?? [])],
    },
    jobs: stores.jobs,
    ...(stores.database && { database: stores.database }),
    figures: figuresOf(stores, { settled: settled.counts, webhooks }),
    sweeps,
    async stop(drainMs: number) {
      await Promise.all(sweeps.map((sweep) => sweep.stop()));
      if (isWorker) await worker.stop(drainMs);
      await webhooks.dispatcher.stop();
      await Promise.all([comparing.close(), audits.close(), outbound.close(), webhooks.sender.close()]);
      await stores.close();
    },
  };
}

function figuresOf(
  { jobs, deliveryCounts }: RecordStoreSet,
  {
    settled,
    webhooks,
  }: Pick<RecordFigures, 'settled'> & {
    readonly webhooks: Awaited<ReturnType<typeof composeJobWebhooks>>;
  },
): RecordFigures {
  const { keyId } = webhooks.forRecords.key;
  return {
    settled,
    deliveries: webhooks.dispatcher.ended,
    overview: () => jobs.overview(),
    waiting: () => deliveryCounts.waiting({ keyId, limit: DELIVERIES_COUNTED_MAX }),
  };
}

/** For the requests of audits and hello jobs. */
function openJobRequests(net: OutboundOptions) {
  const outbound = createOutboundClient({ connectionsPerOrigin: CONNECTIONS_PER_ORIGIN, ...net });
  return { outbound, turns: new TenantTurns(REQUESTS_AT_ONCE.max, REQUESTS_AT_ONCE.perTenant) };
}

function actAsTenant(handlers: JobHandlers, actAs: ActAsTenant | undefined): JobHandlers {
  if (!actAs) return handlers;
  return Object.fromEntries(
    Object.entries(handlers).map(([kind, handler]): [string, JobHandler] => [
      kind,
      (payload, run) => actAs(run.job.tenant, () => handler(payload, run)),
    ]),
  );
}

/** Makes a write that changes nothing, but fails on a full disk or a read-only database. */
async function checkWrites({ tenants }: RecordStoreSet): Promise<void> {
  await tenants.setQuotas(DEFAULT_TENANT, {});
}

/** Concurrent callers share one check, so that probes do not pile up behind a stalled one. */
function shareRunning(check: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };
}
