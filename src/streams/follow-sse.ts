/**
 * A live read by server-sent events. A reader is either catching up (from the store, at its own pace) or live (from
 * shared append events, without store access). A reader that falls too far behind is disconnected, and every
 * connection ends after about a minute, so that clients and proxies never hold one indefinitely. In every case the
 * reader resumes from its last offset.
 *
 * A large event is encoded and sent in pieces at the reader's pace, so that what one reader holds stays small however
 * much longer the encoding is than the text. The end of the connection waits for an event that is being taken, because
 * a reader that never gets it whole would start over for ever.
 */

import { concatBytes } from '../net/index.js';
import { type BegunRead, beginRead } from './catch-up.js';
import { cursorAt, nextCursor } from './cursor.js';
import type { TailEvent, TailWatcher } from './live-tails.js';
import type { Place } from './locate.js';
import { isText } from './media-type.js';
import { comparePositions, formatOffset, type Position } from './offset.js';
import type { Piece } from './read-spans.js';
import { controlFrame, dataFrame, dataFrames } from './sse-frames.js';
import type { StreamDeps } from './stream-deps.js';
import { refresh } from './stream-life.js';
import type { LiveSink, StreamCall, StreamResponse } from './stream-response.js';
import type { StreamState } from './stream-store.js';
import { type ReaderShare, readerShare } from './tenant-shares.js';

/** The approximate size of a data event while catching up; events contain whole records. */
const EVENT_BYTES = 256 * 1024;

/** An event of up to this size is encoded at once; live readers share its encoding. */
const SMALL_EVENT_BYTES = EVENT_BYTES;

/** A longer event is encoded and sent in frames of this size. */
const FRAME_BYTES = 64 * 1024;

/** Bytes that a reader is sent before other work has its turn. */
const BYTES_PER_TURN = 256 * 1024;

export async function followSse(
  deps: StreamDeps,
  call: StreamCall,
  { state, from }: Place,
): Promise<StreamResponse> {
  const share = await readerShare(deps, state);
  deps.tails.refuseIfFull(state.life, share);
  // Begins before the response head is sent, so that damage in the first bytes still becomes an error response.
  const begun = comparePositions(from, state.tail) < 0 ? await beginRead(deps, state, from) : undefined;
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      ...(!isText(state.contentType) && { 'Stream-SSE-Data-Encoding': 'base64' }),
    },
    body: {
      kind: 'live',
      start: (sink) => new SseReader(deps, call, { state, from, sink, begun, share }).start(),
    },
  };
}

interface SseStart extends Place {
  readonly sink: LiveSink;
  readonly begun: BegunRead | undefined;
  readonly share: ReaderShare | undefined;
}

class SseReader implements TailWatcher {
  readonly #deps: StreamDeps;
  readonly #sink: LiveSink;
  #cursor: number;
  #state: StreamState;
  #position: Position;
  #latest: Position;
  readonly #closingFacts: StreamCall['closingFacts'];
  #live = false;
  #over = false;
  #begun: BegunRead | undefined;
  readonly #share: ReaderShare | undefined;
  /** Filled again and again by the frames of long events. */
  #frame: Uint8Array | undefined;
  /** Bytes written since other work had its turn. */
  #sinceTurn = 0;
  /** Frames of the current event that were written. Once the time is up, the event may still be taken. */
  #framesOfEvent = 0;
  #isDue = false;
  #leave: (() => void)[] = [];

  constructor(deps: StreamDeps, call: StreamCall, at: SseStart) {
    this.#deps = deps;
    this.#cursor = nextCursor(deps.clock(), call.query.get('cursor'));
    this.#closingFacts = call.closingFacts;
    this.#sink = at.sink;
    this.#state = at.state;
    this.#position = at.from;
    this.#latest = at.state.tail;
    this.#begun = at.begun;
    this.#share = at.share;
  }

  start(): void {
    this.#sink.onClose(() => this.#end());
    try {
      this.#leave.push(
        this.#deps.tails.watch(this.#state.life, this, this.#share),
        this.#deps.ticker.after(this.#deps.limits.sseMs, () => this.#endInTime()),
      );
    } catch {
      // Another reader took the last place since the check; the client reconnects.
      return this.#end();
    }
    this.#run(this.#catchUp());
  }

  #run(sending: Promise<void>): void {
    sending.catch((error: unknown) => {
      this.#deps.log.warn('a live read ended early', { stream: this.#state.id, err: error });
      this.#end();
    });
  }

  onAppend(event: TailEvent): void {
    // This reader has read further from the store.
    if (comparePositions(event.state.tail, this.#state.tail) < 0) return;
    this.#latest = event.state.tail;
    this.#state = event.state;
    if (!this.#live) return;
    if (comparePositions(event.from, this.#position) !== 0) {
      this.#live = false;
      return this.#run(this.#catchUp());
    }
    if (event.bytes.length > SMALL_EVENT_BYTES) {
      this.#live = false;
      return this.#run(this.#sendLarge(event));
    }
    this.#position = event.state.tail;
    this.#sink.write(this.#frameOf(event));
    if (event.state.closed || this.#sink.buffered() > this.#deps.limits.bufferedBytes) this.#end();
  }

  onGone(): void {
    this.#end();
  }

  /** The bytes are those of the event, which all readers share, so none of them reads the store for it. */
  async #sendLarge({ bytes, state }: TailEvent): Promise<void> {
    await this.#sendEvent(bytes, state.tail);
    if (!this.#over) await this.#catchUp({ hasSent: true });
  }

  async #catchUp({ hasSent = false } = {}): Promise<void> {
    const fresh = await refresh(this.#deps.store, this.#state);
    if (!fresh) return this.#end();
    if (comparePositions(fresh.tail, this.#latest) >= 0) {
      this.#state = fresh;
      this.#latest = fresh.tail;
    }
    let wrote = hasSent;
    do {
      const { plan, pieces } = this.#begun ?? (await beginRead(this.#deps, this.#state, this.#position));
      this.#begun = undefined;
      for await (const piece of pieces) {
        await this.#writePiece(piece);
        wrote = true;
        if (this.#over) return;
      }
      this.#position = plan.end;
    } while (comparePositions(this.#position, this.#latest) < 0);
    if (!wrote) this.#sink.write(this.#control(this.#position));
    if (this.#state.closed) return this.#end();
    this.#live = true;
  }

  async #writePiece(piece: Piece): Promise<void> {
    for (const { bytes, end } of eventsOf(piece)) {
      await this.#sendEvent(bytes, end);
      if (this.#over) return;
    }
  }

  /** Sends a data event and its control event. */
  async #sendEvent(bytes: Uint8Array, end: Position): Promise<void> {
    const { contentType } = this.#state;
    if (bytes.length <= SMALL_EVENT_BYTES) {
      this.#position = end;
      return this.#write(concatBytes([dataFrame(bytes, contentType), this.#control(end)]));
    }
    for (const frame of dataFrames(bytes, contentType, () => this.#frameBuffer())) {
      await this.#write(frame);
      if (this.#over) return;
      this.#framesOfEvent += 1;
    }
    this.#position = end;
    this.#framesOfEvent = 0;
    await this.#write(this.#control(end));
    if (this.#isDue) this.#end();
  }

  /** The last buffer if nothing in it is still to be sent. New ones for each frame kept the garbage collector busy. */
  #frameBuffer(): Uint8Array {
    if (!this.#frame || !this.#sink.allLeft?.()) this.#frame = new Uint8Array(FRAME_BYTES);
    return this.#frame;
  }

  async #write(frame: Uint8Array): Promise<void> {
    this.#sink.write(frame);
    if (this.#sink.buffered() > 0) await this.#sink.drained();
    this.#sinceTurn += frame.length;
    if (this.#sinceTurn < BYTES_PER_TURN) return;
    this.#sinceTurn = 0;
    await this.#deps.turn();
  }

  /** Encodes an event once for all readers of the stream. Only a reader whose cursor is ahead needs its own frame. */
  #frameOf(event: TailEvent): Uint8Array {
    const { state, bytes, shared } = event;
    const encode = () => concatBytes([this.#dataOf(event), this.#control(state.tail)]);
    if (this.#cursor > cursorAt(this.#deps.clock())) return encode();
    const frame = shared.get('sse') ?? encode();
    if (bytes.length > 0 || state.closed) shared.set('sse', frame);
    return frame;
  }

  #dataOf({ bytes, state }: TailEvent): Uint8Array {
    return bytes.length === 0 ? bytes : dataFrame(bytes, state.contentType);
  }

  #control(position: Position): Uint8Array {
    const atTail = comparePositions(position, this.#state.tail) === 0;
    const streamNextOffset = formatOffset(this.#state.hash, position);
    if (atTail && this.#state.closed)
      return controlFrame({
        streamNextOffset,
        upToDate: true,
        streamClosed: true,
        ...this.#closingFacts?.(this.#state),
      });
    this.#cursor = Math.max(this.#cursor, cursorAt(this.#deps.clock()));
    return controlFrame({
      streamNextOffset,
      streamCursor: String(this.#cursor),
      ...(atTail && { upToDate: true }),
    });
  }

  /** Ends the response, or waits for an event that is being taken, for as long as the reader takes any of it. */
  #endInTime(framesBefore = 0): void {
    const frames = this.#framesOfEvent;
    if (frames === framesBefore) return this.#end();
    this.#isDue = true;
    const { ticker, limits } = this.#deps;
    this.#leave.push(ticker.after(limits.sseMs, () => this.#endInTime(frames)));
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#live = false;
    for (const leave of this.#leave) leave();
    this.#leave = [];
    this.#sink.end();
  }
}

/** Splits a piece between records into parts of about `EVENT_BYTES`, one per event. */
function* eventsOf({ bytes, ends, chunk, lo, next }: Piece): Generator<{ bytes: Uint8Array; end: Position }> {
  let from = lo;
  for (const [index, end] of ends.entries()) {
    const isLast = index === ends.length - 1;
    if (!isLast && end - from < EVENT_BYTES) continue;
    yield { bytes: bytes.subarray(from - lo, end - lo), end: isLast ? next : { chunk, position: end } };
    from = end;
  }
}
