/**
 * The object of one stream: the operations of the protocol run here, over the object's own SQLite. One object is
 * one thread of one stream, so waiting readers, appends and sealing meet in its memory as they do in a process.
 * When it is evicted that memory goes and nothing else: its alarm brings back what is still to be done.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Log } from '../../../log.js';
import { streamIdOfProxy } from '../../../proxy/index.js';
import { SqliteStreamStore } from '../../../stores/sqlite/sqlite-stream-store.js';
import {
  type AppendOutcome,
  endOf,
  type Position,
  type StreamCall,
  type StreamResponse,
  StreamService,
  type StreamState,
  type StreamStore,
  type StreamTiming,
  type TimingQuery,
} from '../../../streams/index.js';
import { createConsoleLog } from '../console-log.js';
import { DeletionOutbox } from '../deletions/deletion-outbox.js';
import { holdsSegment, removingInto, segmentsLeft } from '../deletions/removed-segments.js';
import { StreamSegments } from '../deletions/stream-segments.js';
import type { EdgeEnv } from '../edge-env.js';
import { readEdgeSettings } from '../edge-settings.js';
import { LedgerNews } from '../ledger/ledger-news.js';
import { ObjectAlarm } from '../object-alarm.js';
import { ObjectName } from '../object-name.js';
import { ObjectProxy } from '../proxy/object-proxy.js';
import type { WireAbort, WireProxyCall, WireProxyRead } from '../proxy/proxy-rpc.js';
import { hostEngine } from '../sqlite/host-engine.js';
import { LazyEngine } from '../sqlite/lazy-engine.js';
import { openObjectDatabase } from '../sqlite/object-database.js';
import { sent, type WireResult } from '../wire-faults.js';
import { ABSENT_STREAM } from './absent-stream.js';
import {
  type HotBufferRpc,
  hotBufferOf,
  type ReaderName,
  type StreamVerb,
  type WireCall,
  type WireResponse,
} from './hot-buffer-rpc.js';
import { LiveReaders } from './live-readers.js';
import { routeStreamStore } from './routed-stream-store.js';

const READING: ReadonlySet<keyof StreamStore> = new Set([
  'get',
  'chunks',
  'readHot',
  'arrivals',
  'listPage',
  'unsealed',
  'forks',
  'softDeleted',
  'list',
] as const);

/** More than an object ever has. */
const OWN_STREAMS = 2;
/** After a chunk was filled, the object comes back to see whether it was sealed. */
const SEAL_CHECK_MS = 60_000;

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

  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    super(ctx, env);
    const settings = readEdgeSettings(env);
    this.#log = createConsoleLog(settings.log.level);
    this.#alarm = new ObjectAlarm(ctx.storage);
    const database = openObjectDatabase(ctx.storage);
    this.#name = new ObjectName(database);
    this.#lazy = new LazyEngine({
      database,
      table: 'stream_schema',
      open: () => new SqliteStreamStore(database, { listed: false }),
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
      alarm: this.#alarm,
      log: this.#log,
      state: (id) => this.#own.get(id),
    });
    this.#service = new StreamService({
      store: routeStreamStore(this.#own, {
        isOwn: (id) => this.#isOwn(id),
        reach: (id) => hotBufferOf(env, id),
      }),
      objects: this.#segments,
      log: this.#log,
      clock: Date.now,
      limits: { longPollMs: settings.server.longPollMs, sseMs: settings.server.sseMs },
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
    });
    void ctx.blockConcurrencyWhile(async () => {
      await this.#alarm.load();
      this.#segments.plan();
      await this.#proxy.recover();
    });
    this.#service.resume();
  }

  operate(verb: StreamVerb, call: WireCall): Promise<WireResult<WireResponse>> {
    return sent(this.#log, async () => {
      const answer = await this.#readers.answer(call.reader, (gone) =>
        this.#service[verb]({ ...callOf(call), ...(gone && { signal: gone }) }),
      );
      await this.#news.delivered(call.id);
      return answer;
    });
  }

  storeCall(method: keyof StreamStore, args: readonly unknown[]): Promise<WireResult<unknown>> {
    return sent(this.#log, async () => {
      // So that the object knows its name from the first call.
      this.#isOwn(idIn(args[0]));
      const run = this.#own[method] as (...args: readonly unknown[]) => Promise<unknown>;
      return run(...args);
    });
  }

  find(id: string): Promise<WireResult<StreamState | undefined>> {
    this.#news.follow();
    return sent(this.#log, () => this.#service.find(id));
  }

  timing(id: string, query: TimingQuery): Promise<WireResult<StreamTiming>> {
    return sent(this.#log, () => this.#service.timing(id, query));
  }

  gaveOut(stream: StreamState, at: Position): Promise<WireResult<boolean>> {
    return sent(this.#log, () => this.#service.gaveOut(stream, at));
  }

  appendMessage(id: string, message: string): Promise<WireResult<AppendOutcome['kind']>> {
    return sent(this.#log, () => this.#service.appendMessage(id, message));
  }

  initializeProxy(call: WireProxyCall): Promise<WireResult<WireResponse>> {
    return this.#answer((gone) => this.#proxy.send(call, gone), call.reader);
  }

  getMetadata(read: WireProxyRead): Promise<WireResult<WireResponse>> {
    return this.#answer(() => this.#proxy.head(read));
  }

  readProxy(read: WireProxyRead): Promise<WireResult<WireResponse>> {
    return this.#answer((gone) => this.#proxy.read(read, gone), read.reader);
  }

  abortCreate(abort: WireAbort): Promise<WireResult<WireResponse>> {
    return this.#answer(() => this.#proxy.abortByKey(abort));
  }

  proxyAbortUpstream(id: string, query: string): Promise<WireResult<WireResponse>> {
    return this.#answer(() => this.#proxy.abort(id, query));
  }

  delete(id: string, tenant: string): Promise<WireResult<WireResponse>> {
    return this.#answer(async () => {
      this.#news.learn(await this.#own.get(streamIdOfProxy(id)));
      return this.#proxy.remove(id, tenant);
    });
  }

  purge(ticket: string): Promise<WireResult<void>> {
    return sent(this.#log, async () => {
      await this.#segments.purge(ticket);
      await this.#leaveIfBare();
    });
  }

  review(keys: readonly string[]): Promise<WireResult<void>> {
    return sent(this.#log, async () => {
      this.ctx.storage.transactionSync(() =>
        this.#outbox.add(segmentsLeft(this.#lazy.port, this.#outbox, keys)),
      );
      // Whoever sweeps has found them in the bucket: they are to go now, however long ago they were last sent.
      await this.#segments.send('all');
    });
  }

  async readerLeft(reader: ReaderName): Promise<void> {
    this.#readers.left(reader);
  }

  #answer(
    operation: (gone?: AbortSignal) => Promise<StreamResponse>,
    reader?: ReaderName,
  ): Promise<WireResult<WireResponse>> {
    return sent(this.#log, () => this.#readers.answer(reader, operation));
  }

  /** Repeats notifications that may be lost, removes an expired stream and seals full chunks. */
  override async alarm(): Promise<void> {
    this.#alarm.wentOff();
    await this.#segments.send();
    const id = this.#name.value;
    if (id === undefined) return;
    this.#news.learn(await this.#own.get(id));
    await this.#service.sweep();
    await this.#service.settled();
    const left = await this.#own.get(id);
    if (left) this.#planEnd(left);
    if ((await this.#own.unsealed(1)).length > 0) this.#alarm.wakeBy(Date.now() + SEAL_CHECK_MS);
    if (isProxied(id)) await this.#proxy.onAlarm();
    await this.#news.retell(id);
    await this.#leaveIfBare();
  }

  /** The port over this object's own rows; a removal names its segments in the same transaction. */
  #hostOwn(): StreamStore {
    return hostEngine<StreamStore>(this.ctx.storage, removingInto(this.#outbox, this.#lazy.port), {
      reading: READING,
      flush: () => {
        if (!this.#lazy.engine) return;
        this.#lazy.engine.flush();
        this.#name.keep();
      },
      forget: () => {
        this.#lazy.engine?.forget();
        this.#lazy.lookAgain();
        this.#outbox.lookAgain();
        this.#name.lookAgain();
      },
      onWritten: (result) => this.#planAfter(result),
    });
  }

  /** An object that holds nothing any more gives up its tables too, and so ceases to be. */
  async #leaveIfBare(): Promise<void> {
    if (!this.#name.kept || this.#outbox.tickets.length > 0 || this.#news.untold) return;
    if (this.#lazy.port.list('', 1).length > 0 || !this.#proxy.isBare()) return;
    const gone = this.ctx.storage.deleteAll();
    this.#alarm.wentOff();
    this.#lazy.lookAgain();
    this.#proxy.lookAgain();
    this.#outbox.lookAgain();
    this.#name.lookAgain();
    await gone;
  }

  /** Whatever a write gave, if it is about a stream the alarm has to know when that ends. */
  #planAfter(result: unknown): void {
    if (!this.#lazy.engine) return;
    if (this.#outbox.tickets.length > 0) void this.#segments.send();
    const outcome = result as { state?: StreamState; sealed?: boolean } | undefined;
    const state = outcome?.state ?? (outcome as StreamState | undefined);
    if (outcome?.sealed) this.#alarm.wakeBy(Date.now() + SEAL_CHECK_MS);
    if (state?.hash !== undefined) this.#planEnd(state);
    this.#news.due();
  }

  #planEnd(state: StreamState): void {
    const end = endOf(state);
    if (end !== null && !state.deleted) this.#alarm.wakeBy(end);
  }

  #isOwn(id: string): boolean {
    if (this.#name.value !== undefined) return this.#name.value === id;
    const own = this.env.HotBuffer.idFromName(id).equals(this.ctx.id);
    if (own) this.#name.learn(id);
    return own;
  }
}

function isProxied(id: string | undefined): boolean {
  return id?.startsWith(streamIdOfProxy('')) === true;
}

/** A call of the store names its stream first, or is a new one. */
function idIn(first: unknown): string {
  return typeof first === 'string' ? first : String((first as { id?: unknown } | undefined)?.id ?? '');
}

function callOf({ id, url, query, headers, body, forkedFrom }: WireCall): StreamCall {
  return {
    id,
    url,
    query: new URLSearchParams(query),
    header: (name) => headers[name] ?? null,
    body: async () => body,
    idOfPath: () => forkedFrom,
  };
}
