/** The durable proxy as one thing: its operations, its running pumps, and what a start has to put right. */
import type { Log } from '../log.js';
import type { Redactor } from '../net/index.js';
import type { StreamAnswer, StreamService } from '../streams/index.js';
import { uuidV7 } from '../uuid.js';
import { type AbortByKey, abortByKey, abortProxy } from './abort-proxy.js';
import type { Allowlist } from './allowlist.js';
import { createProxy } from './create-proxy.js';
import { deleteProxy } from './delete-proxy.js';
import { headProxy } from './head-proxy.js';
import { type InlineCall, inlineProxy } from './inline-proxy.js';
import type { InlineRoutes } from './inline-routes.js';
import {
  DEFAULT_PROXY_SETTINGS,
  type ProxyDoor,
  type ProxyParts,
  type ProxySettings,
} from './proxy-parts.js';
import type { ProxyStore } from './proxy-store.js';
import type { PumpTotals } from './pump.js';
import { type ProxyRead, readProxy } from './read-proxy.js';
import { recoverPumps } from './recover-pumps.js';
import { RunningPumps } from './running-pumps.js';
import { type SignedUrls, verifySigned } from './signed-url.js';
import { SpareWrites } from './spare-writes.js';
import { systemTimers, type Timers } from './timers.js';
import type { Ending } from './upstream-outcome.js';
import type { ProxyCall } from './upstream-request.js';

export interface ProxyServiceOptions {
  readonly streams: StreamService;
  readonly store: ProxyStore;
  readonly door: ProxyDoor;
  readonly allowlist: Allowlist;
  readonly routes: InlineRoutes;
  readonly signedUrls: SignedUrls;
  readonly redactor: Redactor;
  readonly log: Log;
  readonly timers?: Timers;
  readonly settings?: Partial<ProxySettings>;
  onEnded?(ending: Ending, totals: PumpTotals): void;
  /** Names a new stream, where a host has to know the name before. */
  newId?(nowMs: number): string;
}

/** What callers ask for, wherever the service runs. */
export interface ProxyOperations<Answer> {
  readonly routes: InlineRoutes;
  create(call: ProxyCall): Promise<Answer>;
  inline(call: InlineCall): Promise<Answer>;
  read(read: ProxyRead): Promise<Answer>;
  head(read: ProxyRead): Promise<Answer>;
  abort(id: string, query: URLSearchParams): Promise<Answer>;
  abortByKey(abort: AbortByKey): Promise<Answer>;
  remove(id: string, tenant: string): Promise<Answer>;
  /** True for the holder of a signed URL, false where the query has no signature; throws for a bad one. */
  verifySignature(id: string, query: URLSearchParams): boolean;
}

const SWEEP_MS = 60_000;
/** 16 MB of records. */
const SPARE_WRITES = 64;

export class ProxyService {
  readonly routes: InlineRoutes;
  readonly #parts: ProxyParts;
  #cancelSweep: () => void = () => {};

  constructor({
    routes,
    timers = systemTimers,
    settings,
    onEnded = () => {},
    newId = uuidV7,
    ...rest
  }: ProxyServiceOptions) {
    this.routes = routes;
    const complete = { ...DEFAULT_PROXY_SETTINGS, ...settings };
    const { streams, store, log } = rest;
    const { flushBytes, flushMs, idleMs } = complete;
    const spareWrites = new SpareWrites(SPARE_WRITES);
    this.#parts = {
      ...rest,
      newId,
      timers,
      settings: complete,
      pumps: new RunningPumps(
        { streams, store, timers, log, flushBytes, flushMs, idleMs, spareWrites },
        onEnded,
      ),
      creating: new Map(),
      opening: { count: 0 },
    };
  }

  create = (call: ProxyCall): Promise<StreamAnswer> => createProxy(this.#parts, call);
  inline = (call: InlineCall): Promise<StreamAnswer> => inlineProxy(this.#parts, call);
  read = (read: ProxyRead): Promise<StreamAnswer> => readProxy(this.#parts, read);
  head = (read: ProxyRead): Promise<StreamAnswer> => headProxy(this.#parts, read);
  abort = (id: string, query: URLSearchParams): Promise<StreamAnswer> => abortProxy(this.#parts, id, query);
  abortByKey = (abort: AbortByKey): Promise<StreamAnswer> => abortByKey(this.#parts, abort);
  remove = (id: string, tenant: string): Promise<StreamAnswer> => deleteProxy(this.#parts, id, tenant);

  /** True for the holder of a signed URL, false where the query has no signature; throws for a bad one. */
  verifySignature(id: string, query: URLSearchParams): boolean {
    const { signedUrls, timers } = this.#parts;
    return verifySigned(signedUrls, id, { query, now: timers.now() });
  }

  /** Answers that are coming in now. */
  get running(): number {
    return this.#parts.pumps.size;
  }

  /** To be awaited before the server listens. */
  async start(): Promise<void> {
    await this.recover();
    this.#sweepLater();
  }

  /** Ends what an earlier life left open. For hosts that are woken by an alarm, this is the whole start. */
  async recover(): Promise<void> {
    const lost = await recoverPumps(this.#parts);
    if (lost > 0) this.#parts.log.warn('answers of an earlier run were ended as lost', { streams: lost });
  }

  /** Forgets keys whose time is over. */
  async sweep(): Promise<void> {
    const { timers, store, log } = this.#parts;
    await store
      .sweepCreates(timers.now())
      .catch((error: unknown) => log.warn('old keys were not cleared away', { err: error }));
  }

  async stop(): Promise<void> {
    this.#cancelSweep();
    await this.#parts.pumps.leaveAll();
  }

  #sweepLater(): void {
    this.#cancelSweep = this.#parts.timers.after(SWEEP_MS, () => {
      void this.sweep().finally(() => this.#sweepLater());
    });
  }
}
