/**
 * The object of one tenant. It lists the tenant's streams and runs its subscriptions: their rows, wakes and webhook
 * calls. It stores the tenant's records and starts the runs of its jobs. After an eviction, its alarm resumes due work.
 */
import { DurableObject } from 'cloudflare:workers';
import { streamChange } from '../../../api/changes/change.js';
import { ChangeFeed } from '../../../api/changes/change-feed.js';
import type { PairQuery, PairSummary } from '../../../compare/index.js';
import type { Log } from '../../../log.js';
import { fromBase64Url } from '../../../net/index.js';
import { SUBSCRIPTION_READING } from '../../../stores/sqlite/reading-methods.js';
import { SqliteSubscriptionStore } from '../../../stores/sqlite/sqlite-subscription-store.js';
import {
  createSecretBox,
  createWebhookSigner,
  dueAtOf,
  type StreamListQuery,
  type SubscriptionKey,
  type SubscriptionRecord,
  SubscriptionService,
  type SubscriptionStore,
  splitStreamId,
  URL_PURPOSE,
} from '../../../streams/index.js';
import { createConsoleLog } from '../console-log.js';
import type { EdgeEnv } from '../edge-env.js';
import { readEdgeSettings } from '../edge-settings.js';
import { createEdgeWebhookSender } from '../egress/edge-webhook-sender.js';
import { ObjectAlarm } from '../object-alarm.js';
import { LedgerRecords } from '../records/ledger-records.js';
import type { RecordCall, RecordsRpc, WaitedJob } from '../records/records-rpc.js';
import { hostEngine } from '../sqlite/host-engine.js';
import { openObjectDatabase } from '../sqlite/object-database.js';
import { wrap } from '../wire-faults.js';
import { createFollowedStreams } from './followed-streams.js';
import { fromWire, type LedgerRpc, type WireHolderCall } from './ledger-rpc.js';
import { ListedStreams, type ReportedStream } from './listed-streams.js';
import { StreamIndex } from './stream-index.js';

/** A wake that is being delivered is checked again after this long, in case the delivery was lost. */
const DUE_AGAIN_MS = 10_000;
const PAGE = 500;
/** The maximum wait for changes per call, so that a lost call is detected. */
const CHANGES_MS = 10_000;

export class AuditLedger extends DurableObject<EdgeEnv> implements LedgerRpc, RecordsRpc {
  readonly #log: Log;
  readonly #alarm: ObjectAlarm;
  readonly #streams: StreamIndex;
  readonly #listed: ListedStreams;
  readonly #subscribed: SqliteSubscriptionStore;
  readonly #store: SubscriptionStore;
  readonly #records: LedgerRecords;
  /** The change feed of this object's tenant; created for the first reader. */
  #changes: ChangeFeed | undefined;
  #service: SubscriptionService | undefined;

  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    super(ctx, env);
    const settings = readEdgeSettings(env);
    this.#log = createConsoleLog(settings.log.level);
    this.#alarm = new ObjectAlarm(ctx.storage);
    const database = openObjectDatabase(ctx.storage);
    this.#streams = new StreamIndex(database);
    this.#listed = new ListedStreams(database);
    this.#subscribed = new SqliteSubscriptionStore(database);
    this.#store = hostEngine<SubscriptionStore>(ctx.storage, this.#subscribed, {
      reading: SUBSCRIPTION_READING,
      onWritten: (result) => this.#planAfter(result),
    });
    this.#records = new LedgerRecords({
      env,
      storage: ctx.storage,
      database,
      settings,
      alarm: this.#alarm,
      log: this.#log,
      onJobEnded: () => this.#replan(),
    });
    const { keyFor, keysFor } = settings.edge;
    const callbackKeys = keysFor('sonde callback tokens');
    void ctx.blockConcurrencyWhile(async () => {
      await this.#alarm.load();
      this.#records.plan();
      this.#service = new SubscriptionService({
        store: this.#store,
        streams: createFollowedStreams(env, this.#streams),
        outbound: createEdgeWebhookSender(settings),
        signer: await createWebhookSigner(keyFor('sonde webhook signatures')),
        box: createSecretBox(callbackKeys, URL_PURPOSE),
        tokenKey: fromBase64Url(callbackKeys[0] ?? '') ?? new Uint8Array(0),
        log: this.#log,
        clock: Date.now,
        ...(settings.server.publicUrl !== undefined && { publicUrl: settings.server.publicUrl }),
      });
      await this.#service.start();
    });
  }

  streamChanged(id: string, stream: ReportedStream | undefined) {
    return wrap(this.#log, async () => {
      this.#listed.note(id, stream);
      this.#changes?.note(streamChange(id, stream));
      const hasPath = splitStreamId(id) !== undefined;
      if (hasPath) {
        this.#streams.note(id, stream !== undefined);
        this.#subscriptions.onStreamChanged(id);
      }
      await this.ctx.storage.sync();
      return { followed: hasPath && this.#subscriptions.follows(id) };
    });
  }

  changes(tenantId: string, after: string | undefined) {
    return wrap(this.#log, () => {
      this.#changes ??= new ChangeFeed({
        jobs: (limit) => this.#records.jobs.glance(tenantId, limit),
        job: (jobId) => this.#records.jobs.get(tenantId, jobId),
        log: this.#log,
        clock: Date.now,
      });
      return this.#changes.page(after, { waitMs: CHANGES_MS, signal: new AbortController().signal });
    });
  }

  listStreams(query: StreamListQuery) {
    return wrap(this.#log, async () => this.#listed.page(query));
  }

  createSubscription(key: SubscriptionKey, request: { readonly body: Uint8Array; readonly baseUrl: string }) {
    return wrap(this.#log, () => this.#subscriptions.create(key, request));
  }

  viewSubscription(key: SubscriptionKey) {
    return wrap(this.#log, () => this.#subscriptions.view(key));
  }

  removeSubscription(key: SubscriptionKey) {
    return wrap(this.#log, () => this.#subscriptions.remove(key));
  }

  addStreams(key: SubscriptionKey, body: Uint8Array) {
    return wrap(this.#log, () => this.#subscriptions.addStreams(key, body));
  }

  removeStream(key: SubscriptionKey, path: string) {
    return wrap(this.#log, () => this.#subscriptions.removeStream(key, path));
  }

  claim(key: SubscriptionKey, body: Uint8Array) {
    return wrap(this.#log, () => this.#subscriptions.claim(key, body));
  }

  settle(how: 'callback' | 'ack', call: WireHolderCall) {
    return wrap(this.#log, () => this.#subscriptions[how](fromWire(call)));
  }

  release(call: WireHolderCall) {
    return wrap(this.#log, () => this.#subscriptions.release(fromWire(call)));
  }

  record(call: RecordCall) {
    return wrap(this.#log, () => this.#records.call(call));
  }

  tenant(slug: string) {
    return wrap(this.#log, () => this.#records.tenant(slug));
  }

  awaitNews(job: WaitedJob, ms: number) {
    return wrap(this.#log, () => this.#records.awaitNews(job, ms));
  }

  pairChanged(pair: PairSummary, own: PairSummary | null = pair) {
    return wrap(this.#log, async () => {
      this.#records.pairs.note(pair);
      if (own) this.#records.ownPairs.note(own);
      else this.#records.ownPairs.remove(pair.pairKey);
      await this.ctx.storage.sync();
    });
  }

  pairGone(pairKey: string) {
    return wrap(this.#log, async () => {
      this.#records.pairs.remove(pairKey);
      this.#records.ownPairs.remove(pairKey);
      await this.ctx.storage.sync();
    });
  }

  listPairs(limit: number, { own, after }: Pick<PairQuery, 'own' | 'after'> = {}) {
    const { pairs, ownPairs } = this.#records;
    return wrap(this.#log, async () => (own ? ownPairs : pairs).list(limit, after));
  }

  /** The constructor resumes due work; this sets the alarm for work that is due later. */
  override async alarm(): Promise<void> {
    this.#alarm.markFired();
    await this.#records.onAlarm();
    await this.#subscriptions.settled();
    this.#replan();
  }

  /** Sets the alarm to the next deadline of the records and of the wakes of subscriptions. */
  #replan(): void {
    const now = Date.now();
    const due = [this.#records.dueAt(now)];
    for (let after: SubscriptionKey | null = null; ; ) {
      const page: readonly SubscriptionRecord[] = this.#subscribed.list(after, PAGE);
      for (const { wake } of page) {
        const dueAt = dueAtOf(wake);
        if (dueAt !== null) due.push(Math.max(dueAt, now + DUE_AGAIN_MS));
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      after = { tenant: last.tenant, id: last.id };
    }
    const times = due.filter((at) => at !== undefined);
    this.#alarm.replan(times.length > 0 ? Math.min(...times) : null);
  }

  get #subscriptions(): SubscriptionService {
    if (!this.#service) throw new Error('the object was called before it was ready');
    return this.#service;
  }

  #planAfter(result: unknown): void {
    for (const outcome of [result].flat()) {
      const record = (outcome as { record?: SubscriptionRecord } | null | undefined)?.record;
      const dueAt = record ? dueAtOf(record.wake) : null;
      if (dueAt !== null) this.#alarm.wakeBy(dueAt);
    }
  }
}
