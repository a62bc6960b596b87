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
import { createWebhookSender } from '../../../api/webhook-sender.js';
import type { AuditStore } from '../../../audits/index.js';
import { ClockWatch } from '../../../clock-watch.js';
import type { ComparisonStore, SuiteStore } from '../../../compare/index.js';
import type { Settings } from '../../../config/settings.js';
import {
  createHelloHandler,
  createWebhookKey,
  type IdempotencyStore,
  type JobHandler,
  type JobHandlers,
  type JobHints,
  type JobStore,
  JobWakes,
  JobWorker,
  sealWebhookUrls,
  type TenantStore,
  WebhookDispatcher,
  type WebhookStore,
} from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import { createPolicy, createRedactor } from '../../../net/index.js';
import { createSecretBox } from '../../../streams/index.js';
import { TENANT_TURNS, TenantTurns } from '../../../tenant-turns.js';
import { uuidV7 } from '../../../uuid.js';
import { createAuditHandler } from '../../../workflows/index.js';
import { composeAudits } from '../audit/compose-audits.js';
import { createDocumentThreads } from '../audit/document-threads.js';
import { ownAddresses } from '../egress/own-addresses.js';
import { createOutboundClient, type OutboundOptions } from '../net.js';
import { openRecordsHost } from '../records/records-host.js';
import { composeCompare, type StraySource } from './compose-compare.js';
import { nativeCipher } from './native-cipher.js';
import { type OldComparisons, startRetention } from './retention-sweeps.js';
import { sealingKeys } from './sealing-keys.js';
import { readOrCreateWebhookKeys } from './secrets.js';
import type { StoreThread } from './store-metrics.js';
import { waitForDatabase } from './wait-for-database.js';

/** The `jobs.*` settings, of which three may be absent here. */
export interface RecordsOptions
  extends Omit<Settings['jobs'], 'databaseUrl' | 'webhookSecret' | 'sealingSecret'> {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** How long to wait at the start for an unavailable database. */
  readonly databaseWaitMs?: number;
  readonly webhookSecret?: string;
  /** The first one seals stored secrets; the second one still opens them. */
  readonly sealingSecret?: readonly string[];
  readonly recordsWorkerUrl: URL;
  readonly documentWorkerUrl: URL;
  /** Ends with a slash. */
  readonly migrationsUrl: URL;
  readonly net?: OutboundOptions;
  readonly explain?: Settings['explain'];
  readonly compare?: Settings['compare'];
  readonly audit?: Settings['audit'];
  /** Runs the work of a tenant's job. */
  readonly actAs?: ActAsTenant;
  /** Lets webhooks call loopback receivers. */
  readonly openLoopback: boolean;
  readonly log: Log;
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
  readonly strayRows: StraySource;
  readonly oldComparisons: OldComparisons;
  /** Absent if there is only this process. */
  readonly hints?: JobHints;
  /** Absent if the stores are in an external database. */
  readonly thread?: StoreThread;
  close(): Promise<void>;
}

export type StoreOptions = Pick<
  RecordsOptions,
  'dataDir' | 'databaseUrl' | 'databaseWaitMs' | 'recordsWorkerUrl' | 'migrationsUrl' | 'compare' | 'log'
>;

export async function openRecordStores(options: StoreOptions): Promise<RecordStoreSet> {
  if (options.databaseUrl !== undefined) {
    // Imported on demand: the driver is a tenth of the code loaded at startup, and an embedded server does not need it.
    const { openClusterStores } = await import('./open-cluster-stores.js');
    return openClusterStores(options.databaseUrl, options);
  }
  const path = join(options.dataDir, 'records.db');
  const kept = options.compare && { comparisonsKept: options.compare.kept };
  const host = await openRecordsHost({ path, ...kept, workerUrl: options.recordsWorkerUrl });
  return { ...host.stores, thread: host, close: () => host.close() };
}

/** Requests of audits and hello jobs. The pool of an origin never runs out: a tenant waits only for its own. */
const REQUESTS_AT_ONCE = { max: 192, perTenant: 96 } as const;
const CONNECTIONS_PER_ORIGIN = REQUESTS_AT_ONCE.max + 2 * TENANT_TURNS.guestsMax;

const WEBHOOK_PURPOSE = 'sonde tenant webhook urls';
/** Retention starts only after the clocks have agreed for this long, so that a wrong date at startup loses no data. */
const TRUSTED_AFTER_MS = 3_600_000;

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
  await (options.databaseUrl === undefined ? create() : waitForDatabase(options, create));
}

async function compose(options: RecordsOptions, stores: RecordStoreSet, clock: () => number) {
  const { log, net = {}, openLoopback, audit } = options;
  await createDefaultTenant(options, stores, clock);
  const wakes = new JobWakes();
  const redactor = createRedactor();
  const { outbound, turns } = openJobRequests(net);
  const documents = createDocumentThreads(options.documentWorkerUrl);
  const audits = composeAudits(outbound, { ...net, ...(audit && { bounds: audit }) }, documents);
  const monotonic = () => performance.now();
  const watch = new ClockWatch({ wall: clock, monotonic });
  const keys = await sealingKeys(options);
  const compare = await composeCompare({ ...options, watch, sealingKeys: keys }, stores, clock);
  const webhooks = sealWebhookUrls(stores.webhooks, createSecretBox(keys, WEBHOOK_PURPOSE, nativeCipher));
  const webhookSender = openWebhookSender(net, openLoopback);
  const key = createWebhookKey(
    options.webhookSecret ?? (await readOrCreateWebhookKeys(options.dataDir)).signingSeed,
  );
  const mayPrune = () => watch.agreedMs() >= TRUSTED_AFTER_MS;
  const parts = { log, random: Math.random };
  const dispatcher = new WebhookDispatcher({
    ...parts,
    clock,
    store: webhooks,
    outbound: webhookSender,
    key,
  });
  const handlers: JobHandlers = {
    hello: createHelloHandler({ fetch: (request) => outbound.fetch(request), clock, turns }),
    audit: createAuditHandler({ ports: audits.ports, store: stores.audits, turns }),
    ...compare.handlers,
  };
  const worker = new JobWorker({
    ...parts,
    clock: monotonic,
    store: stores.jobs,
    handlers: actAsTenant(handlers, options.actAs),
    wakes,
    redactor,
    ...(stores.hints && { hints: stores.hints }),
    onReaped: (job) => compare.endReaped(job),
    options: { ...options, workerId: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}` },
  });
  const isWorker = options.concurrency > 0;
  if (isWorker) {
    await worker.start();
    dispatcher.start();
  }
  const sweeps = startRetention(stores, { ...options, mayPrune });
  return {
    records: createAppRecords({
      ...stores,
      jobs: {
        store: stores.jobs,
        news: wakes,
        clock,
        maxAttempts: options.maxAttempts,
        onReady: () => isWorker && worker.wake(),
        async onCancel(job) {
          worker.checkLease(job.jobId);
          await compare.endCanceled(job);
        },
        onChange: (jobId) => wakes.wake(jobId),
      },
      webhooks: { store: webhooks, key, refusal: (url) => webhookSender.refusal(url) },
      policy: createPolicy({ ...net, ownAddresses }),
      redactor,
    }),
    comparisons: compare.comparisons,
    revokedSessions: stores.revokedSessions,
    readiness: { name: 'jobs', check: shareRunning(() => checkWrites(stores)) },
    jobs: stores.jobs,
    sweeps: [...sweeps, ...compare.sweeps],
    async stop(drainMs: number) {
      await Promise.all(sweeps.map((sweep) => sweep.stop()));
      if (isWorker) await worker.stop(drainMs);
      await dispatcher.stop();
      await Promise.all([compare.close(), audits.close(), outbound.close(), webhookSender.close()]);
      await stores.close();
    },
  };
}

/** For the requests of audits and hello jobs. */
function openJobRequests(net: OutboundOptions) {
  const outbound = createOutboundClient({ connectionsPerOrigin: CONNECTIONS_PER_ORIGIN, ...net });
  return { outbound, turns: new TenantTurns(REQUESTS_AT_ONCE.max, REQUESTS_AT_ONCE.perTenant) };
}

/** Origins that are allowed only temporarily cannot receive webhooks. */
function openWebhookSender({ openOrigins: _closed, ...net }: OutboundOptions, openLoopback: boolean) {
  return createWebhookSender({ net, openOutbound: createOutboundClient, openLoopback });
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
