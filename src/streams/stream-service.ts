/**
 * The entry point to durable streams: it combines the protocol operations, live tails, the sealing of full chunks and
 * the removal of expired streams. A host provides a store, an object store for segments, a log and a clock.
 */
import { asSondeError, type SondeError } from '../errors.js';
import { timerTurn } from '../loop-turns.js';
import { PacedSweep } from '../paced-sweep.js';
import { appendMessage, appendOwn, appendStream, type OwnAppend } from './append-stream.js';
import { createOwn, createStream, type OwnStream } from './create-stream.js';
import { deleteStream } from './delete-stream.js';
import { isExpired } from './expiry.js';
import { followRaw, type RawFollow } from './follow-raw.js';
import { headStream } from './head-stream.js';
import { destroyBefore, type LifetimeClock, trustedClock } from './lifetime-clock.js';
import { LiveTails } from './live-tails.js';
import { locate, type Place, type PlaceName } from './locate.js';
import type { Position } from './offset.js';
import { findKept, findStream, openStream } from './open-stream.js';
import { readStream } from './read-stream.js';
import { readTiming, type StreamTiming, type TimingQuery } from './read-timing.js';
import { refuseForged } from './refuse-forged.js';
import { removeStream } from './remove-stream.js';
import { Sealer } from './sealer.js';
import { type Damage, spreadDamage } from './spread-damage.js';
import { DEFAULT_STREAM_LIMITS, type StreamDeps, type StreamLimits } from './stream-deps.js';
import { keyOf, refresh } from './stream-life.js';
import type { LiveBody, StreamCall, StreamResponse } from './stream-response.js';
import type {
  AppendOutcome,
  StreamKey,
  StreamListPage,
  StreamListQuery,
  StreamState,
} from './stream-store.js';
import { NO_TENANT_LIMITS, type ReadTenantLimits } from './tenant-limits.js';
import { type ReaderShare, readerShare, StoredBytes } from './tenant-shares.js';
import { ProcessTotals, type TenantTotals } from './tenant-totals.js';
import { Ticker } from './ticker.js';

export interface StreamServiceOptions extends Pick<StreamDeps, 'store' | 'objects' | 'log' | 'clock'> {
  readonly turn?: StreamDeps['turn'];
  /** By default `clock`, which is then trusted. */
  readonly lifetime?: LifetimeClock;
  readonly limits?: Partial<StreamLimits>;
  readonly tenantLimits?: ReadTenantLimits;
  /** The bytes stored for each tenant; by default none are stored yet, and this process is alone. */
  readonly storedTotals?: TenantTotals;
  readonly damaged?: readonly StreamKey[];
  readonly unchecked?: UncheckedTails;
}

/** The streams whose last records must still be verified, in id order. */
export interface UncheckedTails {
  /** Where to start; null if no stream is unchecked. */
  readonly after: string | null;
  check(
    after: string,
    limit: number,
  ): Promise<{ readonly damaged: readonly StreamKey[]; readonly next: string | null }>;
}

/** Streams per step, which are removed in one commit. */
const EXPIRED_PER_STEP = 50;
const EXPIRY_EVERY_MS = 2_000;
const TAILS_PER_STEP = 100;
const TAILS_EVERY_MS = 60_000;
const SOFT_DELETED_EVERY_MS = 30_000;
const SOFT_DELETED_BATCH = 50;

export class StreamService {
  readonly #deps: StreamDeps;
  readonly #damaged: Map<string, StreamKey>;
  /** Where the sweep continues among streams that are kept only for their forks. */
  #softDeletedAfter = '';
  readonly #onChanged = new Set<(stream: StreamState) => void>();
  readonly sweeps: readonly PacedSweep[];
  /** Runs once over all unchecked streams, then ends. */
  readonly #tailCheck: PacedSweep | undefined;

  constructor({
    limits: given,
    damaged,
    unchecked,
    storedTotals: totals = new ProcessTotals(),
    turn = timerTurn,
    tenantLimits = NO_TENANT_LIMITS,
    lifetime,
    ...host
  }: StreamServiceOptions) {
    const { store, log } = host;
    this.#damaged = new Map(damaged?.map((stream) => [stream.life, stream]));
    const limits = { ...DEFAULT_STREAM_LIMITS, ...given };
    const onCorrupt = (stream: StreamKey, from: Position) =>
      spreadDamage(store, { stream, from }, (each) => this.#noteDamage(each)).catch((error: unknown) => {
        log.error('the damage could not be recorded', { stream: stream.id, err: error });
      });
    this.#deps = {
      ...host,
      turn,
      lifetime: lifetime ?? trustedClock(host.clock),
      limits,
      tenantLimits,
      storedBytes: new StoredBytes({ totals, limits: tenantLimits, fallback: limits.storedBytes }),
      tails: new LiveTails(limits.readersPerStream, turn),
      ticker: new Ticker(turn),
      sealer: new Sealer({ ...host, onCorrupt, limits }),
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

  appendMessage = (id: string, message: string): Promise<AppendOutcome['kind']> =>
    appendMessage(this.#deps, id, message);

  /** These work on streams that the server writes itself (`proxy/`), under ids that no path maps to. */
  createOwn = (stream: OwnStream, replaced?: StreamState): Promise<StreamState> =>
    createOwn(this.#deps, stream, replaced);
  appendOwn = (stream: StreamKey, append: OwnAppend): Promise<AppendOutcome> =>
    appendOwn(this.#deps, stream, append);
  followRaw = (follow: RawFollow): LiveBody => followRaw(this.#deps, follow);

  locate = (id: string, name: PlaceName): Promise<Place> => locate(this.#deps, id, name);

  timing = (id: string, query: TimingQuery): Promise<StreamTiming> => readTiming(this.#deps, id, query);

  removeOwn = async (id: string): Promise<void> => {
    await removeStream(this.#deps, await openStream(this.#deps, id));
  };

  /** Ends every live read of a stream. Readers reconnect and then get the error. */
  dropReaders({ life }: StreamKey): void {
    this.#deps.tails.notifyGone(life);
  }

  /** Returns undefined for a missing, expired or deleted stream. */
  async find(id: string): Promise<StreamState | undefined> {
    const state = await findStream(this.#deps, id);
    return state?.deleted ? undefined : state;
  }

  /** Like `find`, but also finds a stream that has expired and is kept, because the clock is not trusted. */
  async findKept(id: string): Promise<StreamState | undefined> {
    const state = await findKept(this.#deps, id);
    return state?.deleted ? undefined : state;
  }

  /** Call it when `lifetime` jumps, and the stored uses with it. */
  forgetUses(): void {
    this.#deps.touched.clear();
  }

  /** Whether the stream can have returned this position. The position must not be past the tail. */
  async gaveOut(stream: StreamState, at: Position): Promise<boolean> {
    try {
      await refuseForged(this.#deps, stream, at);
      return true;
    } catch (error) {
      if (asSondeError(error).code === 'OFFSET_INVALID') return false;
      throw error;
    }
  }

  /** One page of collections, without expired streams. */
  async listPage(query: StreamListQuery): Promise<StreamListPage> {
    const { streams, next } = await this.#deps.store.listPage(query);
    const now = this.#deps.lifetime.now();
    return { streams: streams.filter((stream) => !isExpired(stream, now)), next };
  }

  list(after: string, limit: number): Promise<readonly StreamState[]> {
    return this.#deps.store.list(after, limit);
  }

  /** Calls `act` after every committed create, append and removal, until the returned function is called. */
  onChanged(act: (stream: StreamState) => void): () => void {
    this.#onChanged.add(act);
    return () => this.#onChanged.delete(act);
  }

  /** The error for a tenant that cannot store another byte, or undefined. */
  whyFull(tenant: string): Promise<SondeError | undefined> {
    return this.#deps.storedBytes.refusal(tenant, 1);
  }

  readerShare(state: StreamState): Promise<ReaderShare | undefined> {
    return readerShare(this.#deps, state);
  }

  get liveReaders(): number {
    return this.#deps.tails.readers;
  }

  /** The number of full chunks that wait to be sealed. Counts only chunks that filled since the start. */
  get unsealedChunks(): number {
    return this.#deps.sealer.waiting;
  }

  get damaged(): readonly string[] {
    return [...this.#damaged.values()].map(({ id }) => id);
  }

  start(): void {
    this.resume();
    for (const sweep of this.sweeps) sweep.start();
    this.#tailCheck?.startNow();
  }

  /** Resumes the unfinished work of an earlier process. Hosts that are woken by an alarm need nothing else to start. */
  resume(): void {
    // Marks forks that a crash left unmarked after their source.
    this.#spreadDamage([...this.#damaged.values()]).catch((error: unknown) => {
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

  /** Resolves when every full chunk that can be sealed is sealed. */
  settled(): Promise<void> {
    return this.#deps.sealer.idle();
  }

  /** Runs one step of every sweep, for hosts that are woken by an alarm. */
  async sweep(): Promise<void> {
    try {
      await this.#removeExpired();
      await this.#sweepSoftDeleted();
    } catch (error) {
      this.#deps.log.warn('expired streams were not removed', { err: error });
    }
  }

  /** Removes expired streams; `findStream` does that for each. */
  async #removeExpired(): Promise<number> {
    const { store, lifetime } = this.#deps;
    if (!lifetime.isTrusted()) return 0;
    const { ids, looked } = await store.expired(destroyBefore(lifetime), EXPIRED_PER_STEP);
    await Promise.all(
      ids.map(async (id) => {
        const state = await findStream(this.#deps, id);
        // It was used since the last stored renewal. Store that use, so that it is not selected again too early.
        if (state && !state.deleted) await store.touch(keyOf(state), state.accessedAt);
      }),
    );
    return looked;
  }

  /** Finishes removals that a crash interrupted between the last fork and its source, one batch per step. */
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
