/** The durable proxy: its operations, its running pumps, and the recovery at startup. */
import { CountMap } from '../count-map.js';
import type { Log } from '../log.js';
import { PacedSweep } from '../paced-sweep.js';
import {
  destroyBefore,
  type LifetimeClock,
  NO_TENANT_LIMITS,
  type ReadTenantLimits,
  type StreamResponse,
  trustedClock,
} from '../streams/index.js';
import { uuidV7 } from '../uuid.js';
import { type AbortByKey, abortByKey, abortProxy } from './abort-proxy.js';
import { recoverAttempts } from './attempts.js';
import { createProxy } from './create-proxy.js';
import { deleteProxy } from './delete-proxy.js';
import { headProxy } from './head-proxy.js';
import { type InlineCall, inlineProxy } from './inline-proxy.js';
import type { InlineRoutes } from './inline-routes.js';
import { type AttemptFacts, listAttempts } from './list-attempts.js';
import { OpenRequests } from './open-requests.js';
import { DEFAULT_PROXY_SETTINGS, type ProxyDeps, type ProxySettings } from './proxy-deps.js';
import type { PumpTotals } from './pump.js';
import { type ProxyRead, readProxy } from './read-proxy.js';
import { recoverPumps } from './recover-pumps.js';
import { RunningPumps } from './running-pumps.js';
import { type ProxyShare, shareProxy } from './share-proxy.js';
import { type SignedGrant, verifySigned } from './signed-url.js';
import { SpareWrites } from './spare-writes.js';
import { TenantShare } from './tenant-share.js';
import { systemTimers, type Timers } from './timers.js';
import type { Ending } from './upstream-outcome.js';
import type { ProxyCall } from './upstream-request.js';

export interface ProxyServiceOptions
  extends Pick<
    ProxyDeps,
    'streams' | 'store' | 'outbound' | 'allowlist' | 'signedUrls' | 'redactor' | 'log'
  > {
  readonly routes: InlineRoutes;
  readonly timers?: Timers;
  /** By default the clock of `timers`, which is then trusted. */
  readonly lifetime?: LifetimeClock;
  readonly settings?: Partial<ProxySettings>;
  readonly limits?: ReadTenantLimits;
  readonly storeFault?: ProxyDeps['storeFault'];
  onEnded?(ending: Ending, totals: PumpTotals): void;
  /** Called for each SDK retry without a key, which is therefore a new upstream call. */
  onUnkeyedRetry?(): void;
  /** See `ProxyDeps`. */
  readonly notesUnkeyed?: boolean;
  /** Creates the id of a new stream; set by hosts that must know the id in advance. */
  newId?(nowMs: number): string;
}

/** The operations of the proxy, on every engine. */
export interface ProxyOperations<StreamResponse> {
  readonly routes: InlineRoutes;
  create(call: ProxyCall): Promise<StreamResponse>;
  inline(call: InlineCall): Promise<StreamResponse>;
  read(read: ProxyRead): Promise<StreamResponse>;
  head(read: ProxyRead): Promise<StreamResponse>;
  abort(id: string, query: URLSearchParams): Promise<StreamResponse>;
  abortByKey(abort: AbortByKey): Promise<StreamResponse>;
  remove(id: string, tenant: string): Promise<StreamResponse>;
  /** The attempts of a response, in order; throws if the tenant has no such response. */
  attempts(id: string, tenant: string): Promise<readonly AttemptFacts[]>;
  share(share: ProxyShare): Promise<StreamResponse>;
  /** What the holder of a signed URL may do; undefined if the query has no signature. Throws for a bad one. */
  verifySignature(id: string, query: URLSearchParams): SignedGrant | undefined;
}

const SWEEP_MS = 60_000;
const CREATES_PER_STEP = 100;
/** 16 MB of records. */
const SPARE_WRITES = 64;

export class ProxyService {
  readonly routes: InlineRoutes;
  readonly sweeps: readonly PacedSweep[];
  readonly #deps: ProxyDeps;

  constructor({
    routes,
    timers = systemTimers,
    lifetime = trustedClock(timers.now),
    settings,
    onEnded = () => {},
    onUnkeyedRetry = () => {},
    newId = uuidV7,
    limits = NO_TENANT_LIMITS,
    storeFault = async () => undefined,
    notesUnkeyed = true,
    ...rest
  }: ProxyServiceOptions) {
    this.routes = routes;
    const complete = { ...DEFAULT_PROXY_SETTINGS, ...settings };
    const { streams, store, log } = rest;
    const { flushBytes, flushMs, idleMs } = complete;
    const spareWrites = new SpareWrites(SPARE_WRITES);
    const pumps = new RunningPumps(
      { streams, store, timers, log, flushBytes, flushMs, idleMs, spareWrites },
      complete.pace,
      onEnded,
    );
    this.#deps = {
      ...rest,
      storeFault,
      newId,
      timers,
      lifetime,
      settings: complete,
      pumps,
      creating: new Map(),
      notesUnkeyed,
      headless: new CountMap(),
      share: new TenantShare({ pumps, streams, limits, fallback: complete.streamsMax }),
      onUnkeyedRetry: warnOnce(log, onUnkeyedRetry),
      opening: new OpenRequests(),
    };
    const sweep = new PacedSweep({
      name: 'proxy_keys',
      step: () => this.#sweepKeys(),
      everyMs: SWEEP_MS,
      log,
      monotonic: timers.now,
      after: timers.after,
    });
    this.sweeps = [sweep];
  }

  create = (call: ProxyCall): Promise<StreamResponse> => createProxy(this.#deps, call);
  inline = (call: InlineCall): Promise<StreamResponse> => inlineProxy(this.#deps, call);
  read = (read: ProxyRead): Promise<StreamResponse> => readProxy(this.#deps, read);
  head = (read: ProxyRead): Promise<StreamResponse> => headProxy(this.#deps, read);
  abort = (id: string, query: URLSearchParams): Promise<StreamResponse> => abortProxy(this.#deps, id, query);
  abortByKey = (abort: AbortByKey): Promise<StreamResponse> => abortByKey(this.#deps, abort);
  remove = (id: string, tenant: string): Promise<StreamResponse> => deleteProxy(this.#deps, id, tenant);
  attempts = (id: string, tenant: string): Promise<readonly AttemptFacts[]> =>
    listAttempts(this.#deps, id, tenant);

  share = (share: ProxyShare): Promise<StreamResponse> => shareProxy(this.#deps, share);

  /** What the holder of a signed URL may do; undefined if the query has no signature. Throws for a bad one. */
  verifySignature(id: string, query: URLSearchParams): SignedGrant | undefined {
    const { signedUrls, lifetime } = this.#deps;
    return verifySigned(signedUrls, id, { query, now: lifetime.now() });
  }

  get running(): number {
    return this.#deps.pumps.size;
  }

  /** Resolves when no response is being received or awaited. */
  async quiet(): Promise<void> {
    while (this.#deps.opening.count > 0) await this.#deps.opening.settled();
    await this.#deps.pumps.quiet();
  }

  /** Must be awaited before the server listens. */
  async start(): Promise<void> {
    await this.recover();
    for (const sweep of this.sweeps) sweep.start();
  }

  /** Ends streams that an earlier process left open. For hosts that are woken by an alarm, this is the whole start. */
  async recover(): Promise<void> {
    const lost = (await recoverPumps(this.#deps)) + (await recoverAttempts(this.#deps));
    if (lost > 0)
      this.#deps.log.warn('responses interrupted by an earlier crash were marked as lost', { streams: lost });
  }

  /** One step of the sweep, for hosts that are woken by an alarm. */
  async sweep(): Promise<void> {
    await this.#sweepKeys().catch((error: unknown) =>
      this.#deps.log.warn('expired idempotency keys were not removed', { err: error }),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.sweeps.map((sweep) => sweep.stop()));
    await this.#deps.pumps.leaveAll();
  }

  #sweepKeys(): Promise<number> {
    const { lifetime, store } = this.#deps;
    return store.sweepCreates(destroyBefore(lifetime), CREATES_PER_STEP);
  }
}

function warnOnce(log: Log, count: () => void): () => void {
  let isLogged = false;
  return () => {
    count();
    if (isLogged) return;
    isLogged = true;
    log.warn('an SDK retried a request without an Idempotency-Key: each retry is a new upstream call', {
      header: 'x-stainless-retry-count',
    });
  };
}
