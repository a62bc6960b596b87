/**
 * The object of one stream. It runs the protocol operations on the object's own SQLite. An object is a single thread,
 * so waiting readers, appends and sealing share its memory as they do in a process. An eviction loses only that memory;
 * the alarm resumes unfinished work. Once work has ended, the alarm is set to the object's next deadline, or cleared.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Log } from '../../../log.js';
import { streamIdOfProxy } from '../../../proxy/index.js';
import { STREAM_READING } from '../../../stores/sqlite/reading-methods.js';
import { SqliteStreamStore } from '../../../stores/sqlite/sqlite-stream-store.js';
import { STREAM_SCHEMA } from '../../../stores/sqlite/stream-schema.js';
import {
  endOf,
  type Position,
  type StreamResponse,
  StreamService,
  type StreamState,
  type StreamStore,
  type TimingQuery,
} from '../../../streams/index.js';
import { createConsoleLog } from '../console-log.js';
import { DeletionOutbox } from '../deletions/deletion-outbox.js';
import { findUnreferenced, holdsSegment, withDeletionOutbox } from '../deletions/removed-segments.js';
import { StreamSegments } from '../deletions/stream-segments.js';
import type { EdgeEnv } from '../edge-env.js';
import { readEdgeSettings } from '../edge-settings.js';
import { LastReport } from '../ledger/last-report.js';
import { LedgerNews } from '../ledger/ledger-news.js';
import { ObjectAlarm } from '../object-alarm.js';
import { ObjectName } from '../object-name.js';
import { objectIdOf } from '../placement.js';
import { HEARTBEAT_MS, ObjectProxy, PROXY_LATER } from '../proxy/object-proxy.js';
import type { WireAbort, WireProxyCall, WireProxyRead } from '../proxy/proxy-rpc.js';
import { hostEngine } from '../sqlite/host-engine.js';
import { LazyEngine } from '../sqlite/lazy-engine.js';
import { openObjectDatabase } from '../sqlite/object-database.js';
import { splitSchema, withTablesOnDemand } from '../sqlite/tables-on-demand.js';
import { wrap } from '../wire-faults.js';
import { ABSENT_STREAM } from './absent-stream.js';
import {
  type HotBufferRpc,
  hotBufferOf,
  type ReaderName,
  type StreamVerb,
  type WireCall,
} from './hot-buffer-rpc.js';
import { LiveReaders } from './live-readers.js';
import { routeStreamStore } from './routed-stream-store.js';
import { callOf, idIn } from './wire-calls.js';

/** More streams than an object ever has. */
const OWN_STREAMS = 2;
/** After a chunk was filled, the object checks after this long whether it was sealed. */
const SEAL_CHECK_MS = 60_000;
/** Work that failed, or whose outcome is unknown, is retried after this long. */
const AGAIN_MS = HEARTBEAT_MS;

/** An object has one stream, so it needs no indexes for lists, counts and sweeps. */
const STREAMS = splitSchema({ ...STREAM_SCHEMA, indexes: [] }, [
  'sealed_chunks',
  'producers',
  'stream_forks',
  'stream_totals',
]);
const LATER = new Map([...STREAMS.later, ...PROXY_LATER]);

export class HotBuffer extends DurableObject<EdgeEnv> implements HotBufferRpc {
  readonly #log: Log;
  readonly #alarm: ObjectAlarm;
  readonly #news: LedgerNews;
  readonly #lazy: LazyEngine<StreamStore, SqliteStreamStore>;
  readonly #outbox: DeletionOutbox;
  readonly #segments: StreamSegments;
  readonly #own: StreamStore;
  readonly #service: StreamService;
  readonly #proxy: ObjectProxy;
  readonly #name: ObjectName;
  readonly #readers = new LiveReaders();
  /** Set when the stream was removed and everything must be deleted after this transaction. */
  #mustClear = false;

  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    super(ctx, env);
    const settings = readEdgeSettings(env);
    this.#log = createConsoleLog(settings.log.level);
    this.#alarm = new ObjectAlarm(ctx.storage);
    const database = withTablesOnDemand(openObjectDatabase(ctx.storage), LATER);
    this.#name = new ObjectName(database);
    this.#lazy = new LazyEngine({
      database,
      table: 'stream_schema',
      engine: SqliteStreamStore,
      open: () => new SqliteStreamStore(database, { schema: STREAMS.schema, listed: false }),
      absent: ABSENT_STREAM,
    });
    this.#outbox = new DeletionOutbox(database);
    this.#segments = new StreamSegments({
      env,
      outbox: this.#outbox,
      alarm: this.#alarm,
      storage: ctx.storage,
      log: this.#log,
      objectId: ctx.id.toString(),
      holds: (key) => holdsSegment(this.#lazy.port, key),
    });
    this.#own = this.#hostOwn();
    this.#news = new LedgerNews({
      env,
      log: this.#log,
      report: new LastReport(database),
      state: (id) => this.#own.get(id),
      onSent: (outcome) => this.#afterReport(outcome),
    });
    this.#service = new StreamService({
      store: routeStreamStore(this.#own, {
        isOwn: (id) => this.#isOwn(id),
        reach: (id) => hotBufferOf(env, id),
      }),
      objects: this.#segments,
      log: this.#log,
      clock: Date.now,
      limits: settings.server,
      damaged: this.#lazy.engine?.checkTails('', OWN_STREAMS).damaged ?? [],
    });
    this.#service.onChanged(({ id }) => {
      if (this.#isOwn(id)) this.#news.changed(id);
    });
    this.#proxy = new ObjectProxy({
      env,
      settings,
      storage: ctx.storage,
      database,
      streams: this.#service,
      alarm: this.#alarm,
      log: this.#log,
      hold: (work) => ctx.waitUntil(work),
      onQuiet: () => this.#replan(),
    });
    void ctx.blockConcurrencyWhile(async () => {
      await this.#alarm.load();
      await this.#proxy.service.recover();
      // The platform drops an alarm that failed several times.
      const deadline = this.#deadline();
      if (deadline !== null) this.#alarm.wakeBy(deadline);
    });
    this.#service.resume();
  }

  operate(verb: StreamVerb, call: WireCall) {
    return wrap(this.#log, async () => {
      const response = await this.#readers.respond(call.reader, (gone) =>
        this.#service[verb]({ ...callOf(call), ...(gone && { signal: gone }) }),
      );
      await this.#news.delivered(call.id);
      return response;
    });
  }

  storeCall(method: keyof StreamStore, args: readonly unknown[]) {
    return wrap(this.#log, async () => {
      // Stores the object's name on the first call.
      this.#isOwn(idIn(args[0]));
      const run = this.#own[method] as (...args: readonly unknown[]) => Promise<unknown>;
      return run(...args);
    });
  }

  find(id: string) {
    this.#news.follow();
    return wrap(this.#log, () => this.#service.find(id));
  }

  timing(id: string, query: TimingQuery) {
    return wrap(this.#log, () => this.#service.timing(id, query));
  }

  gaveOut(stream: StreamState, at: Position) {
    return wrap(this.#log, () => this.#service.gaveOut(stream, at));
  }

  appendMessage(id: string, message: string) {
    return wrap(this.#log, () => this.#service.appendMessage(id, message));
  }

  initializeProxy(call: WireProxyCall) {
    return this.#respond((gone) => this.#proxy.send(call, gone), call.reader);
  }

  getMetadata(read: WireProxyRead) {
    return this.#respond(() => this.#proxy.head(read));
  }

  readProxy(read: WireProxyRead) {
    return this.#respond((gone) => this.#proxy.read(read, gone), read.reader);
  }

  abortCreate(abort: WireAbort) {
    return this.#respond(() =>
      this.#proxy.service.abortByKey({ ...abort, query: new URLSearchParams(abort.query) }),
    );
  }

  proxyAbortUpstream(id: string, query: string) {
    return this.#respond(() => this.#proxy.service.abort(id, new URLSearchParams(query)));
  }

  delete(id: string, tenant: string) {
    return this.#respond(async () => {
      this.#news.rememberProxied(await this.#own.get(streamIdOfProxy(id)));
      return this.#proxy.service.remove(id, tenant);
    });
  }

  listAttempts(id: string, tenant: string) {
    return wrap(this.#log, () => this.#proxy.service.attempts(id, tenant));
  }

  purge(ticket: string) {
    return wrap(this.#log, async () => {
      await this.#segments.purge(ticket);
      await this.#deleteIfEmpty();
    });
  }

  review(keys: readonly string[]) {
    return wrap(this.#log, async () => {
      this.ctx.storage.transactionSync(() =>
        this.#outbox.add(findUnreferenced(this.#lazy.port, this.#outbox, keys)),
      );
      // The sweep found them in the bucket, so they are sent now, even if they were sent recently.
      await this.#segments.send('all');
    });
  }

  async readerLeft(reader: ReaderName): Promise<void> {
    this.#readers.left(reader);
  }

  #respond(operation: (gone?: AbortSignal) => Promise<StreamResponse>, reader?: ReaderName) {
    return wrap(this.#log, () => this.#readers.respond(reader, operation));
  }

  /** Does due work: lost notifications, the end of an expired stream, full chunks, segments to delete. */
  override async alarm(): Promise<void> {
    this.#alarm.markFired();
    await this.#segments.send();
    const id = this.#name.value;
    if (id !== undefined) {
      this.#news.rememberProxied(await this.#own.get(id));
      await this.#service.sweep();
      // Removes the stream if it has expired, even if no sweep was scheduled.
      await this.#service.find(id);
      await this.#service.settled();
      if (isProxied(id)) await this.#proxy.onAlarm();
      if (this.#news.mustReport(visibleState(await this.#own.get(id)))) this.#news.changed(id);
      await this.#news.settled();
      await this.#deleteIfEmpty();
    }
    this.#replan();
  }

  /** The port over this object's own rows. A removal writes its segments to the outbox in the same transaction. */
  #hostOwn(): StreamStore {
    const engine = withDeletionOutbox(this.#lazy.port, {
      outbox: this.#outbox,
      isAlone: () => this.#outbox.tickets.length === 0 && this.#proxy.isEmpty(),
      onCleared: () => {
        this.#mustClear = true;
      },
    });
    return hostEngine<StreamStore>(this.ctx.storage, engine, {
      reading: STREAM_READING,
      flush: () => {
        if (!this.#lazy.engine) return;
        this.#lazy.engine.flush();
        this.#name.keep();
      },
      forget: () => {
        this.#mustClear = false;
        this.#lazy.engine?.forget();
        this.#reload();
      },
      onWritten: (result, method) => this.#planAfter(result, method),
    });
  }

  /** Deletes the tables of an object without data, so that the platform discards the object. */
  async #deleteIfEmpty(): Promise<void> {
    if (!this.#name.kept || this.#outbox.tickets.length > 0 || this.#news.isPending) return;
    if (this.#lazy.port.list('', 1).length > 0 || !this.#proxy.isEmpty()) return;
    await this.#deleteAll();
  }

  #deleteAll(): Promise<void> {
    const deleted = this.ctx.storage.deleteAll();
    this.#alarm.markFired();
    this.#lazy.engine?.forget();
    this.#reload();
    return deleted;
  }

  #reload(): void {
    this.#lazy.reload();
    this.#proxy.reload();
    this.#outbox.reload();
    this.#name.reload();
  }

  /** Runs in the same turn as a write, and so in its commit. */
  #planAfter(result: unknown, method: keyof StreamStore): void {
    if (this.#mustClear) return this.#clear();
    if (!this.#lazy.engine) return;
    if (this.#outbox.tickets.length > 0) void this.#segments.send();
    const outcome = result as { state?: StreamState; sealed?: boolean } | undefined;
    const state = outcome?.state ?? (outcome as StreamState | undefined);
    const isReported =
      REPORTED.has(method) && this.#news.mustReport(visibleState(state?.hash ? state : undefined));
    // Earliest first, because each call with an earlier time than the last is a billed row.
    if (isReported) this.#alarm.wakeBy(Date.now() + AGAIN_MS);
    if (outcome?.sealed) this.#alarm.wakeBy(Date.now() + SEAL_CHECK_MS);
    const end = state?.hash !== undefined && !state.deleted ? endOf(state) : null;
    if (end !== null) this.#alarm.wakeBy(end);
  }

  /** Keeps only the name until the removal is reported, so that an alarm can report it after a crash. */
  #clear(): void {
    this.#mustClear = false;
    void this.#deleteAll();
    if (!this.#news.mustReport(undefined)) return;
    this.ctx.storage.transactionSync(() => this.#name.keep());
    this.#alarm.wakeBy(Date.now() + AGAIN_MS);
  }

  #afterReport(outcome: 'reported' | 'failed'): void {
    if (outcome === 'failed') return this.#alarm.wakeBy(Date.now() + AGAIN_MS);
    // While the stream is followed the alarm stays, because moving it with every append would cost more.
    if (this.#news.isFollowed) return;
    this.#deleteIfEmpty().then(
      () => this.#replan(),
      (error: unknown) => this.#log.warn('an empty object was not removed', { err: error }),
    );
  }

  #replan(): void {
    this.#alarm.replan(this.#deadline());
  }

  /** When the object must next be awake, as far as is known; null if never. */
  #deadline(): number | null {
    const now = Date.now();
    const { value: id } = this.#name;
    const state = id === undefined ? undefined : this.#lazy.port.get(id);
    const due = [
      state && !state.deleted ? endOf(state) : null,
      this.#outbox.dueAt ?? null,
      this.#proxy.dueAt(now) ?? null,
      this.#lazy.port.unsealed(1).length > 0 ? now + SEAL_CHECK_MS : null,
      this.#news.isPending ? now + AGAIN_MS : null,
    ].filter((at) => at !== null);
    return due.length === 0 ? null : Math.min(...due.map((at) => (at > now ? at : now + AGAIN_MS)));
  }

  #isOwn(id: string): boolean {
    if (this.#name.value !== undefined) return this.#name.value === id;
    const own = objectIdOf(this.env, 'HotBuffer', id).equals(this.ctx.id);
    if (own) this.#name.setOnce(id);
    return own;
  }
}

/** Writes that may change lists or must be reported to followers. */
const REPORTED: ReadonlySet<keyof StreamStore> = new Set(['create', 'append', 'remove'] as const);

/** A stream that is kept only for its forks does not exist for callers. */
function visibleState(state: StreamState | undefined): StreamState | undefined {
  return state?.deleted ? undefined : state;
}

function isProxied(id: string | undefined): boolean {
  return id?.startsWith(streamIdOfProxy('')) === true;
}
