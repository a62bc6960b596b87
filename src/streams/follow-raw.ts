/**
 * A live read of the bytes alone, without framing of our own: what the store has, then what is appended, up to
 * the end of the stream. It is shown only what is committed, goes at its reader's pace, and takes from the
 * wake-ups what it can; a reader that falls behind reads from the store again.
 */
import { planReadable } from './catch-up.js';
import type { TailEvent } from './live-tails.js';
import { comparePositions, type Position, START } from './offset.js';
import { readSpans } from './read-spans.js';
import type { AnswerBody, LiveSink } from './stream-answer.js';
import { refresh } from './stream-life.js';
import type { StreamParts } from './stream-parts.js';
import type { StreamState } from './stream-store.js';

export interface RawFollow {
  readonly state: StreamState;
  /** The start, if not given. */
  readonly from?: Position;
  /** All that the stream held in `state`, where the caller has it at hand: it need not be read from the store. */
  readonly held?: Uint8Array;
  /** Ends when nothing came for the time of a long-poll, or after that of an SSE connection: the reader comes back. */
  readonly bounded?: boolean;
  /** Whether a stream that has closed may be ended as complete; else the answer is broken off. */
  isComplete(state: StreamState): boolean;
}

export function followRaw(parts: StreamParts, follow: RawFollow): AnswerBody {
  parts.tails.refuseIfFull(follow.state.life);
  return { kind: 'live', start: (sink) => void new RawReader(parts, follow, sink).run() };
}

class RawReader {
  readonly #parts: StreamParts;
  readonly #follow: RawFollow;
  readonly #sink: LiveSink;
  #events: TailEvent[] = [];
  #eventBytes = 0;
  #state: StreamState;
  #position: Position;
  #gone = false;
  /** The time for one answer is over. */
  #over = false;
  #cancelQuiet: () => void = () => {};
  #wake: () => void = () => {};

  constructor(parts: StreamParts, follow: RawFollow, sink: LiveSink) {
    this.#parts = parts;
    this.#follow = follow;
    this.#sink = sink;
    this.#state = follow.state;
    this.#position = follow.held ? follow.state.tail : (follow.from ?? START);
  }

  async run(): Promise<void> {
    let unwatch = () => {};
    const cancelTotal = this.#after(this.#parts.limits.sseMs);
    this.#awaitQuiet();
    this.#sink.onClose(() => this.#leave());
    try {
      unwatch = this.#parts.tails.watch(this.#state.life, {
        onAppend: (event) => this.#hear(event),
        onGone: () => this.#leave(),
      });
      if (this.#follow.held) this.#sink.write(this.#follow.held);
      const stored = await refresh(this.#parts.store, this.#state);
      if (!stored) this.#leave();
      else if (!this.#state.closed && comparePositions(stored.tail, this.#state.tail) >= 0)
        this.#state = stored;
      while (!this.#gone && !this.#over && !this.#isOver()) await this.#advance();
      if (!this.#gone && (!this.#isOver() || this.#follow.isComplete(this.#state))) this.#sink.end();
      else this.#sink.abort();
    } catch (error) {
      this.#parts.log.warn('a live read broke off', { stream: this.#state.id, err: error });
      this.#sink.abort();
    } finally {
      unwatch();
      cancelTotal();
      this.#cancelQuiet();
    }
  }

  #after(ms: number): () => void {
    if (!this.#follow.bounded) return () => {};
    return this.#parts.ticker.after(ms, () => {
      this.#over = true;
      this.#wake();
    });
  }

  #awaitQuiet(): void {
    this.#cancelQuiet();
    this.#cancelQuiet = this.#after(this.#parts.limits.longPollMs);
  }

  #isOver(): boolean {
    return this.#state.closed && comparePositions(this.#position, this.#state.tail) >= 0;
  }

  #hear(event: TailEvent): void {
    this.#state = event.state;
    this.#eventBytes += event.bytes.length;
    if (this.#eventBytes <= this.#parts.limits.bufferedBytes) this.#events.push(event);
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
    const plan = await planReadable(this.#parts, this.#state, this.#position);
    for await (const { bytes, next } of readSpans(this.#parts, plan)) {
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
