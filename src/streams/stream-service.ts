/**
 * Durable streams as one thing: the operations, the live tails, the sealing of full chunks and the clearing
 * away of expired streams. A host gives it a store, somewhere to keep segments, a log and a clock.
 */
import { asSondeError, type SondeError } from '../errors.js';
import type { Log } from '../log.js';
import { PacedSweep } from '../paced-sweep.js';
import { appendMessage, appendOwn, appendStream, type OwnAppend } from './append-stream.js';
import { createOwn, createStream, type OwnStream } from './create-stream.js';
import { deleteStream } from './delete-stream.js';
import { isExpired } from './expiry.js';
import { followRaw, type RawFollow } from './follow-raw.js';
import { headStream } from './head-stream.js';
import { LiveTails } from './live-tails.js';
import { locate, type Place, type PlaceName } from './locate.js';
import type { ObjectStore } from './object-store.js';
import type { Position } from './offset.js';
import { findStream, openStream } from './open-stream.js';
import { readStream } from './read-stream.js';
import { readTiming, type StreamTiming, type TimingQuery } from './read-timing.js';
import { refuseForged } from './refuse-forged.js';
import { removeStream } from './remove-stream.js';
import { Sealer } from './sealer.js';
import { type Damage, spreadDamage } from './spread-damage.js';
import { DEFAULT_STREAM_LIMITS, type StreamDeps, type StreamLimits } from './stream-deps.js';
import { keyOf, refresh } from './stream-life.js';
import type { StreamBody, StreamCall, StreamResponse } from './stream-response.js';
import type {
  AppendOutcome,
  StreamKey,
  StreamListPage,
  StreamListQuery,
  StreamState,
  StreamStore,
} from './stream-store.js';
import { NO_TENANT_LIMITS, type ReadTenantLimits } from './tenant-limits.js';
import { type ReaderShare, readerShare, StoredBytes } from './tenant-shares.js';
import { Ticker } from './ticker.js';

export interface StreamServiceOptions {
  readonly store: StreamStore;
  readonly objects: ObjectStore;
  readonly log: Log;
  readonly clock: () => number;
  readonly limits?: Partial<StreamLimits>;
  readonly tenantLimits?: ReadTenantLimits;
  /** How much is stored for each tenant already. */
  readonly stored?: Iterable<readonly [tenant: string, bytes: number]>;
  /** Streams already known to be damaged. */
  readonly damaged?: readonly StreamKey[];
  readonly unchecked?: UncheckedTails;
}

/** Streams whose last records are still to be checked, in the order of their ids. */
export interface UncheckedTails {
  /** Null if there are none. */
  readonly after: string | null;
  check(
    after: string,
    limit: number,
  ): Promise<{ readonly damaged: readonly StreamKey[]; readonly next: string | null }>;
}

/** Streams of one step: they go in one commit. */
const EXPIRED_PER_STEP = 50;
const EXPIRY_EVERY_MS = 2_000;
const TAILS_PER_STEP = 100;
const TAILS_EVERY_MS = 60_000;
const SOFT_DELETED_EVERY_MS = 30_000;
const SOFT_DELETED_BATCH = 50;

export class StreamService {
  readonly #deps: StreamDeps;
  /** Streams found damaged, by life. */
  readonly #damaged: Map<string, StreamKey>;
  /** Where the sweep continues among streams that are kept only for their forks. */
  #softDeletedAfter = '';
  readonly #onChanged = new Set<(stream: StreamState) => void>();
  readonly sweeps: readonly PacedSweep[];
  /** Ends by itself. */
  readonly #tailCheck: PacedSweep | undefined;

  constructor(options: StreamServiceOptions) {
    const {
      store,
      objects,
      log,
      clock,
      limits,
      damaged,
      unchecked,
      stored = [],
      tenantLimits = NO_TENANT_LIMITS,
    } = options;
    this.#damaged = new Map(damaged?.map((stream) => [stream.life, stream]));
    const complete = { ...DEFAULT_STREAM_LIMITS, ...limits };
    const onCorrupt = (stream: StreamKey, from: Position) =>
      spreadDamage(store, { stream, from }, (each) => this.#noteDamage(each)).catch((error: unknown) => {
        log.error('the damage could not be recorded', { stream: stream.id, err: error });
      });
    this.#deps = {
      store,
      tenantLimits,
      storedBytes: new StoredBytes({ counts: stored, limits: tenantLimits, fallback: complete.storedBytes }),
      objects,
      log,
      clock,
      limits: complete,
      tails: new LiveTails(complete.readersPerStream),
      ticker: new Ticker(),
      sealer: new Sealer({ store, objects, log, onCorrupt, limits: complete }),
      touched: new Map(),
      onCorrupt,
      onChanged: (stream) => {
        for (const act of this.#onChanged) act(stream);
      },
      onRemoved: ({ life }) => {
        this.#deps.touched.delete(life);
        this.#damaged.delete(life);
      },
    };
    const sweep = (name: string, everyMs: number, step: () => Promise<number>) =>
      new PacedSweep({ name, step, everyMs, log });
    this.sweeps = [
      new PacedSweep({
        name: 'expired_streams',
        step: () => this.#removeExpired(),
        stepMax: EXPIRED_PER_STEP,
        everyMs: EXPIRY_EVERY_MS,
        log,
      }),
      sweep('streams_kept_for_forks', SOFT_DELETED_EVERY_MS, () => this.#sweepSoftDeleted()),
    ];
    this.#tailCheck = unchecked && sweep('stream_tails', TAILS_EVERY_MS, this.#tailChecker(unchecked));
  }

  create = (call: StreamCall): Promise<StreamResponse> => createStream(this.#deps, call);
  append = (call: StreamCall): Promise<StreamResponse> => appendStream(this.#deps, call);
  read = (call: StreamCall): Promise<StreamResponse> => readStream(this.#deps, call);
  head = (call: StreamCall): Promise<StreamResponse> => headStream(this.#deps, call);
  remove = (call: StreamCall): Promise<StreamResponse> => deleteStream(this.#deps, call);

  /** Appends one message of the server's own. */
  appendMessage = (id: string, message: string): Promise<AppendOutcome['kind']> =>
    appendMessage(this.#deps, id, message);

  /** Streams that the server writes itself (`proxy/`), under ids that no path leads to. */
  createOwn = (stream: OwnStream): Promise<StreamState> => createOwn(this.#deps, stream);
  appendOwn = (stream: StreamKey, append: OwnAppend): Promise<AppendOutcome> =>
    appendOwn(this.#deps, stream, append);
  /** The bytes alone, as they come, to the end of the stream. */
  followRaw = (follow: RawFollow): StreamBody => followRaw(this.#deps, follow);

  /** Where some bytes after an offset lie. */
  locate = (id: string, name: PlaceName): Promise<Place> => locate(this.#deps, id, name);

  /** When the records of a stream arrived. */
  timing = (id: string, query: TimingQuery): Promise<StreamTiming> => readTiming(this.#deps, id, query);

  removeOwn = async (id: string): Promise<void> => {
    await removeStream(this.#deps, await openStream(this.#deps, id));
  };

  /** Ends every live read of a stream; readers come back and get the error then. */
  dropReaders({ life }: StreamKey): void {
    this.#deps.tails.gone(life);
  }

  /** Undefined for a stream that is gone for callers. */
  async find(id: string): Promise<StreamState | undefined> {
    const state = await findStream(this.#deps, id);
    return state?.deleted ? undefined : state;
  }

  /** Whether the stream can have returned this position, which is not past its tail. */
  async gaveOut(stream: StreamState, at: Position): Promise<boolean> {
    try {
      await refuseForged(this.#deps, stream, at);
      return true;
    } catch (error) {
      if (asSondeError(error).code === 'OFFSET_INVALID') return false;
      throw error;
    }
  }

  /** One page of collections, without streams whose time is over. */
  async listPage(query: StreamListQuery): Promise<StreamListPage> {
    const { streams, next } = await this.#deps.store.listPage(query);
    const now = this.#deps.clock();
    return { streams: streams.filter((stream) => !isExpired(stream, now)), next };
  }

  list(after: string, limit: number): Promise<readonly StreamState[]> {
    return this.#deps.store.list(after, limit);
  }

  /** `act` is called for every stream that was created, appended to or removed, after the commit. Returns how to stop it. */
  onChanged(act: (stream: StreamState) => void): () => void {
    this.#onChanged.add(act);
    return () => this.#onChanged.delete(act);
  }

  /** Undefined while at least one byte more can be stored for the tenant. */
  whyFull(tenant: string): Promise<SondeError | undefined> {
    return this.#deps.storedBytes.refusal(tenant, 1);
  }

  /** For `followRaw`. */
  readerShare(state: StreamState): Promise<ReaderShare | undefined> {
    return readerShare(this.#deps, state);
  }

  get liveReaders(): number {
    return this.#deps.tails.readers;
  }

  /** Full chunks that wait to be sealed, as far as they were filled since the start. */
  get unsealedChunks(): number {
    return this.#deps.sealer.waiting;
  }

  /** Ids of the damaged streams. */
  get damaged(): readonly string[] {
    return [...this.#damaged.values()].map(({ id }) => id);
  }

  start(): void {
    this.resume();
    for (const sweep of this.sweeps) sweep.start();
    this.#tailCheck?.startNow();
  }

  /** Takes up what an earlier life left undone. For hosts that are woken by an alarm, this is the whole start. */
  resume(): void {
    this.#spreadKnownDamage().catch((error: unknown) => {
      this.#deps.log.error('known damage could not be read', { err: error });
    });
    this.#deps.sealer.wake();
  }

  async stop(): Promise<void> {
    await Promise.all(this.sweeps.map((sweep) => sweep.stop()));
    await this.#tailCheck?.stop();
    this.#deps.ticker.stop();
    await this.#deps.sealer.stop();
  }

  /** Resolves when every full chunk that could be sealed is. */
  settled(): Promise<void> {
    return this.#deps.sealer.idle();
  }

  /** One step of every sweep, for hosts that are woken by an alarm. */
  async sweep(): Promise<void> {
    try {
      await this.#removeExpired();
      await this.#sweepSoftDeleted();
    } catch (error) {
      this.#deps.log.warn('expired streams were not removed', { err: error });
    }
  }

  /** Removes streams whose time is over: finding one does. */
  async #removeExpired(): Promise<number> {
    const { store, clock } = this.#deps;
    const { ids, looked } = await store.expired(clock(), EXPIRED_PER_STEP);
    await Promise.all(
      ids.map(async (id) => {
        const state = await findStream(this.#deps, id);
        // It was used since the store was last updated, and must not come up again before its end.
        if (state && !state.deleted) await store.touch(keyOf(state), state.accessedAt);
      }),
    );
    return looked;
  }

  /** A crash may have come between the removal of a last fork and that of its source. One batch per look. */
  async #sweepSoftDeleted(): Promise<0> {
    const kept = await this.#deps.store.softDeleted(this.#softDeletedAfter, SOFT_DELETED_BATCH);
    for (const state of kept) await removeStream(this.#deps, state);
    this.#softDeletedAfter = kept.at(-1)?.id ?? '';
    return 0;
  }

  #noteDamage({ stream, from: { chunk, position } }: Damage): void {
    if (this.#damaged.has(stream.life)) return;
    this.#damaged.set(stream.life, stream);
    this.#deps.log.error('a stream is damaged', { stream: stream.id, chunk, position });
  }

  /** A crash may have come between a stream and its forks. */
  #spreadKnownDamage(): Promise<void> {
    return this.#spreadDamage([...this.#damaged.values()]);
  }

  async #spreadDamage(damaged: readonly StreamKey[]): Promise<void> {
    for (const stream of damaged) {
      const from = (await refresh(this.#deps.store, stream))?.corruptFrom;
      if (from) await this.#deps.onCorrupt(stream, from);
    }
  }

  #tailChecker(unchecked: UncheckedTails): () => Promise<number> {
    let { after } = unchecked;
    return async () => {
      if (after === null) return 0;
      const { damaged, next } = await unchecked.check(after, TAILS_PER_STEP);
      after = next;
      await this.#spreadDamage(damaged);
      return TAILS_PER_STEP;
    };
  }
}
