/**
 * A live read of the bytes alone, without framing of our own: what the store has, then what is appended, up to
 * the end of the stream. It is shown only what is committed, goes at its reader's pace, and takes from the
 * wake-ups what it can; a reader that falls behind reads from the store again.
 */
import { planReadable } from './catch-up.js';
import type { TailEvent } from './live-tails.js';
import { comparePositions, type Position, START } from './offset.js';
import { readSpans } from './read-spans.js';
import type { StreamDeps } from './stream-deps.js';
import { refresh } from './stream-life.js';
import type { LiveSink, StreamBody } from './stream-response.js';
import type { StreamState } from './stream-store.js';
import type { ReaderShare } from './tenant-shares.js';

export interface RawFollow {
  readonly state: StreamState;
  /** The start, if not given. */
  readonly from?: Position;
  /** All that the stream held in `state`, where the caller has it at hand: it need not be read from the store. */
  readonly held?: Uint8Array;
  /** Ends when nothing came for the time of a long-poll, or after that of an SSE connection: the reader comes back. */
  readonly bounded?: boolean;
  /** Absent for the response to the request that made the stream, which counts as that. */
  readonly share?: ReaderShare;
  /** Whether a stream that has closed may be ended as complete; otherwise the response is aborted. */
  isComplete(state: StreamState): boolean;
}

export function followRaw(deps: StreamDeps, follow: RawFollow): StreamBody {
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
  /** The time for one response is over. */
  #over = false;
  #cancelQuiet: () => void = () => {};
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
    this.#awaitQuiet();
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
      while (!this.#gone && !this.#over && !this.#isOver()) await this.#advance();
      if (!this.#gone && (!this.#isOver() || this.#follow.isComplete(this.#state))) this.#sink.end();
      else this.#sink.abort();
    } catch (error) {
      this.#deps.log.warn('a live read ended early', { stream: this.#state.id, err: error });
      this.#sink.abort();
    } finally {
      unwatch();
      cancelTotal();
      this.#cancelQuiet();
    }
  }

  #after(ms: number): () => void {
    if (!this.#follow.bounded) return () => {};
    return this.#deps.ticker.after(ms, () => {
      this.#over = true;
      this.#wake();
    });
  }

  #awaitQuiet(): void {
    this.#cancelQuiet();
    this.#cancelQuiet = this.#after(this.#deps.limits.longPollMs);
  }

  #isOver(): boolean {
    return this.#state.closed && comparePositions(this.#position, this.#state.tail) >= 0;
  }

  #handleAppend(event: TailEvent): void {
    this.#state = event.state;
    this.#eventBytes += event.bytes.length;
    if (this.#eventBytes <= this.#deps.limits.bufferedBytes) this.#events.push(event);
    else this.#forgetEvents();
    this.#wake();
  }

  #forgetEvents(): void {
    this.#events = [];
    this.#eventBytes = 0;
  }

  #leave(): void {
    this.#gone = true;
    this.#wake();
  }

  /** One step: the next event if it joins on, else the store, else waiting. */
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
    this.#awaitQuiet();
    if (this.#sink.buffered() > 0) await this.#sink.drained();
  }
}
