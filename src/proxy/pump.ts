/**
 * Copies one upstream response into its stream. Modes, in order: piping → finishing → ended; it ends once.
 *
 * Piping pulls from the upstream's socket, so a slow store slows the upstream. A chunk is written at once if no write
 * is in flight; chunks that arrive during a write are combined into the next one. Only after a write slower than
 * `flushMs` (the store is behind) do chunks wait until there are `flushBytes` of them or the first is `flushMs` old.
 * On platforms that bill each write, writes smaller than `flushBytes` also start at least `paceMs` apart. Full records
 * do not wait for each other: several may be in flight, and the store refuses each unless the one before it is stored.
 *
 * Finishing writes the rest together with the closure and its outcome, so no reader sees the end without its reason.
 * After a failed write no further data is written: the stream is always a prefix of the response, without a gap. The
 * end itself is tried until the store accepts it, however long that takes, because readers wait for it.
 */
import { asSondeError, type SondeError } from '../errors.js';
import type { Log } from '../log.js';
import { concatBytes, type HopBody } from '../net/index.js';
import type { AppendOutcome, StreamKey, StreamService } from '../streams/index.js';
import type { ProxySettings } from './proxy-deps.js';
import { endedMetadata, type ProxyMetadata, responseOf } from './proxy-metadata.js';
import type { AttemptKey, ProxyStore } from './proxy-store.js';
import type { SpareWrites } from './spare-writes.js';
import type { Timers } from './timers.js';
import { ABORTED, COMPLETED, type Ending, endingOf, failed, TIMED_OUT } from './upstream-outcome.js';

export interface PumpDeps extends Pick<ProxySettings, 'flushBytes' | 'flushMs' | 'idleMs'> {
  readonly streams: Pick<StreamService, 'appendOwn' | 'dropReaders'>;
  readonly store: Pick<ProxyStore, 'pumpEnded'>;
  readonly timers: Timers;
  readonly log: Log;
  /** The current minimum time between the starts of two small writes; no minimum if absent. */
  readonly paceMs?: () => number;
  /** Shared by all pumps. */
  readonly spareWrites: SpareWrites;
}

export interface PumpSource {
  readonly stream: StreamKey;
  readonly metadata: ProxyMetadata;
  readonly body: HopBody;
  /** Bytes of the response that the stream was created with. */
  readonly stored: number;
}

/** What a pump has received and written so far. */
export interface PumpTotals {
  readonly bytes: number;
  readonly records: number;
}

/** The largest write; reading pauses while this much is buffered. */
const RECORD_BYTES_MAX = 256 * 1024;
/** The store commits some of them together while others are in flight (`docs/decisions/proxy-and-client.md`, 0030). */
const WRITES_IN_FLIGHT_MAX = 6;
/** Between two attempts to store the end of a response; grows by half with each. */
const CLOSE_RETRY_MS = 1_000;
const CLOSE_RETRY_MS_MAX = 10_000;

export class Pump {
  readonly #deps: PumpDeps;
  readonly #source: PumpSource;
  /** Resolves with the ending once it is committed, or when the process leaves it to the next start. */
  readonly ended: Promise<Ending>;
  #buffered: Uint8Array[] = [];
  #bufferedBytes = 0;
  /** When the oldest buffered byte arrived. */
  #bufferedSince = Number.NEGATIVE_INFINITY;
  /** The store is behind: buffered bytes wait for more. */
  #coalescing = false;
  #lastWriteAt = Number.NEGATIVE_INFINITY;
  #isPaced = false;
  /** Writes in flight, oldest first. */
  readonly #writing: Promise<void>[] = [];
  /** Bytes of all writes, including those in flight. */
  #submittedBytes: number;
  #cancelFlush: () => void = () => {};
  #cancelIdle: () => void = () => {};
  /** Silence before the first byte is counted by the first check, which is due `idleMs` after the start. */
  #lastByteAt = Number.NEGATIVE_INFINITY;
  #held = false;
  /** Decided before the upstream's body ended; later events of the socket are ignored. */
  #decided: Ending | undefined;
  /** Why the store has less than was received. Overrides every other ending. */
  #broken: Ending | undefined;
  /** The process is stopping: what the store does not accept now is left to the next start. */
  #leaving = false;
  #cancelRetry: () => void = () => {};
  #hasLogged = false;
  #bytes: number;
  #records: number;

  constructor(deps: PumpDeps, source: PumpSource) {
    this.#deps = deps;
    this.#source = source;
    this.#bytes = source.stored;
    this.#submittedBytes = source.stored;
    this.#records = source.stored > 0 ? 1 : 0;
    this.#watchIdle(deps.idleMs);
    this.ended = this.#run();
  }

  get totals(): PumpTotals {
    return { bytes: this.#bytes, records: this.#records };
  }

  /** Stops the upstream; buffered bytes are still written. Stopping twice, or too late, changes nothing. */
  stop(ending: Ending = ABORTED): Promise<Ending> {
    this.#decide(ending);
    return this.ended;
  }

  /** Like `stop`, but does not wait for a failing store: the next start ends the stream. */
  leave(ending: Ending): Promise<Ending> {
    this.#leaving = true;
    this.#cancelRetry();
    return this.stop(ending);
  }

  /** A reader has joined: the next write may be due earlier. */
  hurry(): void {
    if (!this.#isPaced) return;
    this.#isPaced = false;
    this.#writeNext();
  }

  async #run(): Promise<Ending> {
    const ending = await this.#pipe();
    this.#cancelIdle();
    this.#cancelFlush();
    this.#source.body.cancel();
    while (this.#writing.length > 0) await this.#writing[0];
    const { stream } = this.#source;
    const written = await this.#finish(this.#decided ?? ending);
    if (written === undefined) return failed('STORAGE_ERROR');
    const attempt = { ...attemptOf(this.#source), ...written, bytes: this.#bytes };
    await this.#deps.store.pumpEnded(stream, attempt).catch((error: unknown) => {
      this.#deps.log.warn('the end of a recording was not stored', { stream: stream.id, err: error });
    });
    return written;
  }

  async #pipe(): Promise<Ending> {
    while (!this.#decided) {
      let piece: Uint8Array | undefined;
      try {
        piece = await this.#source.body.read();
      } catch (thrown) {
        return endingOf(asSondeError(thrown, 'fetch_error'));
      }
      if (!piece) return COMPLETED;
      this.#buffer(piece);
      if (this.#bufferedBytes >= RECORD_BYTES_MAX) await this.#holdBack();
    }
    return this.#decided;
  }

  /** Pauses reading until the store has caught up. This time does not count as silence of the upstream. */
  async #holdBack(): Promise<void> {
    this.#held = true;
    await this.#writing[0];
    this.#held = false;
    this.#lastByteAt = this.#deps.timers.now();
  }

  #decide(ending: Ending): void {
    if (this.#decided) return;
    this.#decided = ending;
    this.#source.body.cancel();
  }

  #buffer(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#lastByteAt = this.#deps.timers.now();
    this.#bytes += piece.length;
    if (this.#bufferedBytes === 0) this.#bufferedSince = this.#lastByteAt;
    this.#buffered.push(piece);
    this.#bufferedBytes += piece.length;
    if (!this.#coalescing || this.#bufferedBytes >= this.#deps.flushBytes) this.#writeNext();
  }

  #writeNext(): void {
    if (this.#bufferedBytes === 0 || this.#broken) return;
    const startedAt = this.#deps.timers.now();
    if (this.#mustWait(startedAt)) return;
    const isSpare = this.#writing.length > 0;
    if (isSpare && !this.#mayWriteMore()) return;
    this.#lastWriteAt = startedAt;
    this.#writing.push(
      this.#write(this.#take()).then(() => {
        this.#writing.shift();
        if (isSpare) this.#deps.spareWrites.release();
        this.#afterWrite(startedAt);
      }),
    );
  }

  #afterWrite(startedAt: number): void {
    const { timers, flushMs, flushBytes } = this.#deps;
    const now = timers.now();
    const isBehind = now - startedAt > flushMs;
    const leftMs = this.#bufferedSince + flushMs - now;
    if (!isBehind || this.#bufferedBytes >= flushBytes || leftMs <= 0) return this.#writeNext();
    if (this.#coalescing) return;
    this.#coalescing = true;
    this.#cancelFlush = timers.after(leftMs, () => this.#writeNext());
  }

  /** Whether a small write must wait for the pace; if so, a timer starts it. */
  #mustWait(now: number): boolean {
    const { paceMs, flushBytes, timers } = this.#deps;
    const leftMs = paceMs && this.#bufferedBytes < flushBytes ? this.#lastWriteAt + paceMs() - now : 0;
    if (leftMs <= 0) return false;
    if (this.#isPaced) return true;
    this.#isPaced = true;
    this.#cancelFlush();
    this.#cancelFlush = timers.after(leftMs, () => {
      this.#isPaced = false;
      this.#writeNext();
    });
    return true;
  }

  #mayWriteMore(): boolean {
    if (this.#writing.length >= WRITES_IN_FLIGHT_MAX || this.#bufferedBytes < RECORD_BYTES_MAX) return false;
    return this.#deps.spareWrites.take();
  }

  /** Takes the buffered bytes, up to the limit of a record. */
  #take(): Uint8Array {
    const all = concatBytes(this.#buffered);
    const rest = all.subarray(RECORD_BYTES_MAX);
    this.#records++;
    this.#cancelFlush();
    this.#buffered = rest.length > 0 ? [rest] : [];
    this.#bufferedBytes = rest.length;
    this.#coalescing = false;
    this.#isPaced = false;
    return all.subarray(0, RECORD_BYTES_MAX);
  }

  /** Never rejects: a failed or refused write ends the pump. */
  async #write(data: Uint8Array): Promise<void> {
    const { stream, metadata } = this.#source;
    const after = this.#submittedBytes;
    this.#submittedBytes += data.length;
    try {
      const outcome = await this.#deps.streams.appendOwn(stream, { data, after, tenant: metadata.tenant });
      if (outcome.kind !== 'appended') this.#break(endingOfRefusal(outcome));
    } catch (thrown) {
      this.#logStorageError(asSondeError(thrown));
      this.#break(failed('STORAGE_ERROR'));
    }
  }

  /** The first reason counts: later writes are refused only because of the gap that it left. */
  #break(ending: Ending): void {
    this.#broken ??= ending;
    this.#decide(ending);
  }

  /**
   * Writes the remaining bytes, of which there are less than `flushBytes`, the closure and the outcome. Returns undefined
   * if the process stopped before the store could write them.
   */
  async #finish(ending: Ending): Promise<Ending | undefined> {
    for (let retryMs = CLOSE_RETRY_MS; ; retryMs = Math.min(retryMs * 1.5, CLOSE_RETRY_MS_MAX)) {
      try {
        const written = await this.#close(this.#broken ?? ending);
        if (written) return written;
      } catch (thrown) {
        this.#logStorageError(asSondeError(thrown));
        this.#broken = failed('STORAGE_ERROR');
        // Readers must not wait for an end that cannot be written: disconnect them, and their retry gets the error.
        this.#deps.streams.dropReaders(this.#source.stream);
        if (this.#leaving) return undefined;
        await this.#retryAfter(retryMs);
      }
    }
  }

  /** Returns undefined if the store refused the last bytes; the closure must then be written without them. */
  async #close(ending: Ending): Promise<Ending | undefined> {
    const { stream, metadata } = this.#source;
    const data = this.#broken || this.#bufferedBytes === 0 ? null : this.#take();
    const close = { data, close: true, metadata: endedMetadata(metadata, ending), tenant: metadata.tenant };
    const outcome = await this.#deps.streams.appendOwn(stream, close);
    if (outcome.kind === 'appended') return ending;
    if (outcome.kind !== 'refused' || !data) return endingOfRefusal(outcome);
    this.#broken = endingOfRefusal(outcome);
    return undefined;
  }

  #retryAfter(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#deps.timers.after(ms, resolve);
      this.#cancelRetry = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Once for each response: on a full disk, every one of them tries again and again. */
  #logStorageError(error: SondeError): void {
    if (this.#hasLogged) return;
    this.#hasLogged = true;
    this.#deps.log.error('an upstream response could not be stored', {
      stream: this.#source.stream.id,
      code: error.code,
      err: error,
    });
  }

  /** Checks when the timeout could have passed, instead of resetting a timer with every chunk. */
  #watchIdle(ms: number): void {
    const { timers, idleMs } = this.#deps;
    this.#cancelIdle = timers.after(ms, () => {
      if (this.#held) this.#lastByteAt = timers.now();
      const left = this.#lastByteAt + idleMs - timers.now();
      if (left > 0) this.#watchIdle(left);
      else this.#decide(TIMED_OUT);
    });
  }
}

function attemptOf({ stream, metadata }: PumpSource): AttemptKey {
  return { response: responseOf(stream.id), n: metadata.attempt ?? 1 };
}

/** A stream that was deleted or has expired counts as aborted by its owner. */
function endingOfRefusal(outcome: AppendOutcome): Ending {
  const rule = outcome.kind === 'refused' ? outcome.why.rule : 'deleted';
  if (rule === 'stream_size') return failed('RESPONSE_TOO_LARGE');
  return rule === 'deleted' || rule === 'expired' ? ABORTED : failed('STORAGE_ERROR');
}
