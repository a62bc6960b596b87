/**
 * One request and its response: an undici handler, a pull-based body, and the owner of all deadlines. Its states, in
 * order: waiting (no line, or one that is still opening) → sent → streaming → settled. It settles once, at the end of
 * the body or by an error, a deadline or the caller; later events from undici are ignored. Deadlines are implemented
 * here because undici ignores a signal while it connects, and its timers tick only about once a second.
 */
import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import { SondeError } from '../../../errors.js';
import type { Mutable } from '../../../mutable.js';
import {
  concatBytes,
  type HopBody,
  type HopRequest,
  type HopResponse,
  type HopTimings,
} from '../../../net/index.js';
import { codingOf, decodedBody } from './decoded-body.js';
import type { Line } from './line.js';
import { toNetError } from './net-errors.js';
import { type IncomingHeaders, UndiciResponse } from './undici-response.js';

/** How much is read from the socket ahead of the reader. */
const AHEAD_BYTES = 64 * 1024;
/** The maximum raw bytes of a response head, because the parser limits neither the reason phrase nor 1xx responses. */
const HEAD_WIRE_BYTES = 128 * 1024;

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: SondeError): void;
}

export class Exchange implements Dispatcher.DispatchHandler, HopBody {
  readonly request: HopRequest;
  /** The durations that the line measures, in milliseconds; empty on a reused connection. */
  readonly phases: { dns?: number; connect?: number; tls?: number } = {};
  line: Line | undefined;

  readonly #startedAt = performance.now();
  #sentAt = 0;
  #headAt = 0;
  #endedAt = 0;
  #lastByteAt = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #head: Waiting<HopResponse> | undefined;
  #reader: Waiting<Uint8Array | undefined> | undefined;
  readonly #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #bodyBytes = 0;
  #bodyBytesMax: number;
  #wireBytes = 0;
  #settled = false;
  #error: SondeError | undefined;

  constructor(request: HopRequest) {
    this.request = request;
    this.#bodyBytesMax = request.limits.bodyBytes;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Resolves at the response head. `dispatch` hands this exchange to undici. */
  start(dispatch: () => void): Promise<HopResponse> {
    return new Promise((resolve, reject) => {
      this.#head = { resolve, reject };
      const { limits, signal } = this.request;
      this.#arm(Math.min(limits.totalMs, limits.headersMs));
      if (signal) {
        if (signal.aborted) return this.#onAbort();
        // One signal may cancel a whole job with any number of requests.
        setMaxListeners(0, signal);
        signal.addEventListener('abort', this.#onAbort);
      }
      dispatch();
    });
  }

  timings(): HopTimings {
    const timings: Mutable<HopTimings> = {};
    if (this.#headAt > 0) timings.firstByte = this.#headAt - this.#sentAt;
    if (this.#endedAt > 0) timings.download = this.#endedAt - this.#headAt;
    return Object.assign(timings, this.phases);
  }

  // The body.

  arrived(): Uint8Array | undefined {
    const piece = this.#queue.shift();
    if (!piece) return undefined;
    this.#queuedBytes -= piece.length;
    if (this.#controller?.paused && this.#queuedBytes < AHEAD_BYTES / 2) {
      // Time in which the reader did not read does not count as idle time of the target.
      this.#lastByteAt = performance.now();
      this.#controller.resume();
    }
    return piece;
  }

  takeWhole(): Uint8Array | undefined {
    if (!this.#settled || this.#error || this.#queuedBytes !== this.#bodyBytes) return undefined;
    this.#queuedBytes = 0;
    return concatBytes(this.#queue.splice(0));
  }

  read(): Promise<Uint8Array | undefined> {
    const piece = this.arrived();
    if (piece) return Promise.resolve(piece);
    if (this.#error) return Promise.reject(this.#error);
    if (this.#settled) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  cancel(): void {
    this.#queue.length = 0;
    this.fail(new SondeError('canceled', 'the reader canceled the body'));
  }

  wireBytes(): number {
    return this.#settled ? this.#wireBytes : (this.line?.wireBytes ?? 0);
  }

  // Events from the line and from undici.

  /** Called for each readable event, before the new bytes are parsed. */
  onWire(total: number): void {
    if (this.#settled) return;
    if (this.#headAt === 0 && this.#wireBytes > HEAD_WIRE_BYTES) {
      return this.fail(tooLarge('header_too_large', 'response head', HEAD_WIRE_BYTES));
    }
    this.#wireBytes = total;
    if (total > this.request.limits.wireBytes) {
      this.fail(tooLarge('response_too_large', 'response on the wire', this.request.limits.wireBytes));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#error) return controller.abort(this.#error);
    this.#controller = controller;
    this.#sentAt = performance.now();
    this.line?.startMeter();
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHeaders): void {
    if (status < 200 || this.#settled) return;
    this.#headAt = performance.now();
    this.#lastByteAt = this.#headAt;
    if (this.request.limits.idleMs < this.request.limits.totalMs) this.#arm(this.request.limits.idleMs);
    const coding = this.request.keepCoding ? undefined : codingOf(this.request.method, status, headers);
    if (coding !== undefined) this.#bodyBytesMax = Number.POSITIVE_INFINITY;
    try {
      const body = coding === undefined ? this : decodedBody(this, coding, this.request.limits.bodyBytes);
      const head = this.#head;
      this.#head = undefined;
      head?.resolve(new UndiciResponse(this, { status, headers, body }));
    } catch (fault) {
      this.fail(toNetError(fault, 'decode'));
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#lastByteAt = performance.now();
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > this.#bodyBytesMax) {
      return this.fail(tooLarge('response_too_large', 'response body', this.#bodyBytesMax));
    }
    const reader = this.#reader;
    if (reader) {
      this.#reader = undefined;
      return reader.resolve(chunk);
    }
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes >= AHEAD_BYTES) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#endedAt = performance.now();
    this.#settle();
    this.#reader?.resolve(undefined);
    this.#reader = undefined;
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(toNetError(error, this.#headAt > 0 ? 'body' : 'head'));
  }

  // How it ends.

  /** Bytes that were received earlier stay readable; the error follows them. */
  fail(error: SondeError): void {
    if (this.#settled) return;
    this.#settleWith(error);
    if (this.#controller) this.#controller.abort(error);
    else this.line?.abandon(this, error);
  }

  /** Called when the socket fails. undici is notified next, and must find its request unchanged. */
  onSocketError(error: Error): void {
    if (this.#settled || !this.#controller) return;
    this.#settleWith(toNetError(error, this.#headAt > 0 ? 'body' : 'head'));
  }

  #settleWith(error: SondeError): void {
    this.#error = error;
    this.#settle();
    this.#head?.reject(error);
    this.#reader?.reject(error);
    this.#head = undefined;
    this.#reader = undefined;
  }

  #settle(): void {
    this.#wireBytes = this.line?.wireBytes ?? 0;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.request.signal?.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => {
    this.fail(new SondeError('canceled', 'the request was canceled', { cause: this.request.signal?.reason }));
  };

  #arm(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onTimer, Math.max(1, Math.ceil(ms)));
  }

  /** One timer serves all three deadlines. It fires at the nearest, and is set again if that one has moved. */
  readonly #onTimer = (): void => {
    const { totalMs, headersMs, idleMs } = this.request.limits;
    const now = performance.now();
    if (this.#queuedBytes > 0) this.#lastByteAt = now;
    const total = this.#startedAt + totalMs - now;
    const phase = this.#headAt === 0 ? this.#startedAt + headersMs - now : this.#lastByteAt + idleMs - now;
    const left = Math.min(total, phase);
    // Timers may fire a fraction of a millisecond early.
    if (left >= 1) return this.#arm(left);
    const bound = total < 1 ? 'totalMs' : this.#headAt === 0 ? 'headersMs' : 'idleMs';
    this.fail(
      new SondeError('timeout', `no complete response within ${Math.round(this.request.limits[bound])} ms`, {
        details: { bound },
      }),
    );
  };
}

function tooLarge(code: 'header_too_large' | 'response_too_large', what: string, max: number): SondeError {
  return new SondeError(code, `the ${what} is larger than ${max} bytes`, { details: { max } });
}
