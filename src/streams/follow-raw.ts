/**
 * A live read of a stream's raw bytes, without framing: first the stored ones, then new appends, until the stream ends.
 * It sends only committed bytes, at the reader's pace. New bytes come from the append events; a reader that falls
 * behind reads from the store again.
 */
import { planReadable } from './catch-up.js';
import type { TailEvent } from './live-tails.js';
import { comparePositions, type Position, START } from './offset.js';
import { readSpans } from './read-spans.js';
import type { StreamDeps } from './stream-deps.js';
import { refresh } from './stream-life.js';
import type { LiveBody, LiveSink } from './stream-response.js';
import type { StreamState } from './stream-store.js';
import type { ReaderShare } from './tenant-shares.js';

export interface RawFollow {
  readonly state: StreamState;
  /** The start of the stream by default. */
  readonly from?: Position;
  /** All bytes of the stream as of `state`, if the caller already has them, so that they are not read again. */
  readonly held?: Uint8Array;
  /** Ends the response after `longPollMs` without an append, or after `sseMs` in total. The reader then reconnects. */
  readonly bounded?: boolean;
  /** Absent for the response to the request that created the stream, which is not counted as a reader. */
  readonly share?: ReaderShare;
  /** Whether the response to a closed stream ends normally; otherwise it is aborted. */
  isComplete(state: StreamState): boolean;
}

export function followRaw(deps: StreamDeps, follow: RawFollow): LiveBody {
  deps.tails.refuseIfFull(follow.state.life, follow.share);
  return { kind: 'live', start: (sink) => void new RawReader(deps, follow, sink).run() };
}

class RawReader {
  readonly #deps: StreamDeps;
  readonly #follow: RawFollow;
  readonly #sink: LiveSink;
  #events: TailEvent[] = [];
  #eventBytes = 0;
  #state: StreamState;
  #position: Position;
  #gone = false;
  #hasTimedOut = false;
  #cancelIdle: () => void = () => {};
  #wake: () => void = () => {};

  constructor(deps: StreamDeps, follow: RawFollow, sink: LiveSink) {
    this.#deps = deps;
    this.#follow = follow;
    this.#sink = sink;
    this.#state = follow.state;
    this.#position = follow.held ? follow.state.tail : (follow.from ?? START);
  }

  async run(): Promise<void> {
    let unwatch = () => {};
    const cancelTotal = this.#after(this.#deps.limits.sseMs);
    this.#restartIdleTimer();
    this.#sink.onClose(() => this.#leave());
    try {
      const watcher = {
        onAppend: (event: TailEvent) => this.#handleAppend(event),
        onGone: () => this.#leave(),
      };
      unwatch = this.#deps.tails.watch(this.#state.life, watcher, this.#follow.share);
      if (this.#follow.held) this.#sink.write(this.#follow.held);
      const stored = await refresh(this.#deps.store, this.#state);
      if (!stored) this.#leave();
      else if (!this.#state.closed && comparePositions(stored.tail, this.#state.tail) >= 0)
        this.#state = stored;
      while (!this.#gone && !this.#hasTimedOut && !this.#isAtEnd()) await this.#advance();
      if (!this.#gone && (!this.#isAtEnd() || this.#follow.isComplete(this.#state))) this.#sink.end();
      else this.#sink.abort();
    } catch (error) {
      this.#deps.log.warn('a live read ended early', { stream: this.#state.id, err: error });
      this.#sink.abort();
    } finally {
      unwatch();
      cancelTotal();
      this.#cancelIdle();
    }
  }

  #after(ms: number): () => void {
    if (!this.#follow.bounded) return () => {};
    return this.#deps.ticker.after(ms, () => {
      this.#hasTimedOut = true;
      this.#wake();
    });
  }

  #restartIdleTimer(): void {
    this.#cancelIdle();
    this.#cancelIdle = this.#after(this.#deps.limits.longPollMs);
  }

  #isAtEnd(): boolean {
    return this.#state.closed && comparePositions(this.#position, this.#state.tail) >= 0;
  }

  #handleAppend(event: TailEvent): void {
    this.#state = event.state;
    this.#eventBytes += event.bytes.length;
    if (this.#eventBytes <= this.#deps.limits.bufferedBytes) this.#events.push(event);
    else this.#dropEvents();
    this.#wake();
  }

  #dropEvents(): void {
    this.#events = [];
    this.#eventBytes = 0;
  }

  #leave(): void {
    this.#gone = true;
    this.#wake();
  }

  /** Takes one step: sends the next event if it is contiguous, otherwise reads the store, otherwise waits. */
  async #advance(): Promise<void> {
    const event = this.#events.shift();
    if (event) {
      this.#eventBytes -= event.bytes.length;
      if (comparePositions(event.from, this.#position) !== 0) return;
      await this.#write(event.bytes);
      this.#position = event.state.tail;
    } else if (comparePositions(this.#position, this.#state.tail) < 0) {
      await this.#readStore();
    } else {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async #readStore(): Promise<void> {
    const plan = await planReadable(this.#deps, this.#state, this.#position);
    for await (const { bytes, next } of readSpans(this.#deps, plan)) {
      await this.#write(bytes);
      this.#position = next;
      if (this.#gone) return;
    }
    this.#position = plan.end;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0) this.#sink.write(bytes);
    this.#restartIdleTimer();
    if (this.#sink.buffered() > 0) await this.#sink.drained();
  }
}
