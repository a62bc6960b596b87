/**
 * Durable streams as one thing: the operations, the live tails, the sealing of full chunks and the clearing
 * away of expired streams. A host gives it a store, somewhere to keep segments, a log and a clock.
 */
import { asSondeError } from '../errors.js';
import type { Log } from '../log.js';
import { appendMessage, appendOwn, appendStream, type OwnAppend } from './append-stream.js';
import { createOwn, createStream, type OwnStream } from './create-stream.js';
import { deleteStream } from './delete-stream.js';
import { followRaw, type RawFollow } from './follow-raw.js';
import { headStream } from './head-stream.js';
import { LiveTails } from './live-tails.js';
import { locate, type Place, type PlaceName } from './locate.js';
import type { ObjectStore } from './object-store.js';
import type { Position } from './offset.js';
import { findStream, openStream } from './open-stream.js';
import { readStream } from './read-stream.js';
import { refuseForged } from './refuse-forged.js';
import { removeStream } from './remove-stream.js';
import { Sealer } from './sealer.js';
import { type Damage, spreadDamage } from './spread-damage.js';
import type { AnswerBody, StreamAnswer, StreamCall } from './stream-answer.js';
import { DEFAULT_STREAM_LIMITS, type StreamLimits, type StreamParts } from './stream-parts.js';
import type { AppendOutcome, StreamState, StreamStore } from './stream-store.js';
import { Ticker } from './ticker.js';

export interface StreamServiceOptions {
  readonly store: StreamStore;
  readonly objects: ObjectStore;
  readonly log: Log;
  readonly clock: () => number;
  readonly limits?: Partial<StreamLimits>;
  /** Streams already known to be damaged. */
  readonly damaged?: readonly string[];
}

const SWEEP_MS = 30_000;
const SWEEP_BATCH = 1_000;

export class StreamService {
  readonly #parts: StreamParts;
  /** Streams found damaged. */
  readonly #damaged: Set<string>;
  #onChanged: (id: string) => void = () => {};
  #sweep: ReturnType<typeof setInterval> | undefined;

  constructor({ store, objects, log, clock, limits, damaged }: StreamServiceOptions) {
    this.#damaged = new Set(damaged);
    const complete = { ...DEFAULT_STREAM_LIMITS, ...limits };
    const onCorrupt = (id: string, from: Position) =>
      spreadDamage(store, { id, from }, (each) => this.#noteDamage(each)).catch((error: unknown) => {
        log.error('the damage could not be recorded', { stream: id, err: error });
      });
    this.#parts = {
      store,
      objects,
      log,
      clock,
      limits: complete,
      tails: new LiveTails(complete.readersPerStream),
      ticker: new Ticker(),
      sealer: new Sealer({ store, objects, log, onCorrupt, limits: complete }),
      touched: new Map(),
      onCorrupt,
      onChanged: (id) => this.#onChanged(id),
    };
  }

  create = async (call: StreamCall): Promise<StreamAnswer> => {
    const answer = await createStream(this.#parts, call);
    if (answer.status === 201) this.#onChanged(call.id);
    return answer;
  };
  append = (call: StreamCall): Promise<StreamAnswer> => appendStream(this.#parts, call);
  read = (call: StreamCall): Promise<StreamAnswer> => readStream(this.#parts, call);
  head = (call: StreamCall): Promise<StreamAnswer> => headStream(this.#parts, call);
  remove = (call: StreamCall): Promise<StreamAnswer> => deleteStream(this.#parts, call);

  /** Appends one message of the server's own. */
  appendMessage = (id: string, message: string): Promise<AppendOutcome['kind']> =>
    appendMessage(this.#parts, id, message);

  /** Streams that the server writes itself (`proxy/`), under ids that no path leads to. */
  createOwn = (stream: OwnStream): Promise<StreamState> => createOwn(this.#parts, stream);
  appendOwn = (id: string, append: OwnAppend): Promise<AppendOutcome> => appendOwn(this.#parts, id, append);
  /** The bytes alone, as they come, to the end of the stream. */
  followRaw = (follow: RawFollow): AnswerBody => followRaw(this.#parts, follow);

  /** Where some bytes after an offset lie. */
  locate = (id: string, name: PlaceName): Promise<Place> => locate(this.#parts, id, name);

  removeOwn = async (id: string): Promise<void> => {
    await removeStream(this.#parts, await openStream(this.#parts, id));
  };

  /** Ends every live read of a stream; readers come back and are told what is the matter. */
  dropReaders(id: string): void {
    this.#parts.tails.gone(id);
  }

  /** Undefined for a stream that is gone for callers. */
  async find(id: string): Promise<StreamState | undefined> {
    const state = await findStream(this.#parts, id);
    return state?.deleted ? undefined : state;
  }

  /** Whether the stream can have given out this place, which is not past its tail. */
  async gaveOut(stream: StreamState, at: Position): Promise<boolean> {
    try {
      await refuseForged(this.#parts, stream, at);
      return true;
    } catch (error) {
      if (asSondeError(error).code === 'OFFSET_INVALID') return false;
      throw error;
    }
  }

  list(after: string, limit: number): Promise<readonly StreamState[]> {
    return this.#parts.store.list(after, limit);
  }

  /** `act` hears of every stream that was created, grew or went, once that is committed. */
  onChanged(act: (id: string) => void): void {
    this.#onChanged = act;
  }

  get liveReaders(): number {
    return this.#parts.tails.readers;
  }

  /** Full chunks that wait to be sealed, as far as they were filled since the start. */
  get unsealedChunks(): number {
    return this.#parts.sealer.waiting;
  }

  get damaged(): readonly string[] {
    return [...this.#damaged];
  }

  start(): void {
    this.resume();
    this.#sweep = setInterval(() => void this.sweep(), SWEEP_MS);
  }

  /** Takes up what an earlier life left undone. For hosts that are woken by an alarm, this is the whole start. */
  resume(): void {
    this.#spreadKnownDamage().catch((error: unknown) => {
      this.#parts.log.error('known damage was not looked at', { err: error });
    });
    this.#parts.sealer.wake();
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweep);
    this.#parts.ticker.stop();
    await this.#parts.sealer.stop();
  }

  /** Resolves when every full chunk that could be sealed is. */
  settled(): Promise<void> {
    return this.#parts.sealer.idle();
  }

  /** Clears away streams whose time is over; also done when one is asked for. */
  async sweep(): Promise<void> {
    try {
      const now = this.#parts.clock();
      for (const id of await this.#parts.store.expired(now, SWEEP_BATCH)) await findStream(this.#parts, id);
    } catch (error) {
      this.#parts.log.warn('expired streams were not cleared away', { err: error });
    }
  }

  #noteDamage({ id, from: { chunk, position } }: Damage): void {
    this.#damaged.add(id);
    this.#parts.log.error('a stream is damaged', { stream: id, chunk, position });
  }

  /** A crash may have come between a stream and its forks. */
  async #spreadKnownDamage(): Promise<void> {
    for (const id of this.damaged) {
      const from = (await this.#parts.store.get(id))?.corruptFrom;
      if (from) await this.#parts.onCorrupt(id, from);
    }
  }
}
