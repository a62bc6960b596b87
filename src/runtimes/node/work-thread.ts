/**
 * A worker thread that handles requests in order, or those of several owners in turn. It starts with the first request, or earlier on request, and does not
 * keep the process alive. Requests are sent ahead within a limit, so that the thread has work while the main thread is
 * busy. If a request takes too long, its thread is terminated, and the requests after it go to a new thread.
 */
import { Worker } from 'node:worker_threads';
import { CountMap } from '../../count-map.js';

export interface ThreadOptions<Source, Reply extends { readonly id: number }, Result> {
  readonly workerUrl: URL;
  /** For error messages. */
  readonly name: string;
  readonly limitMs: number;
  /** The maximum requests and bytes that are sent ahead; one request is always allowed. */
  readonly ahead: { readonly requests: number; readonly bytes: number };
  bytesOf(source: Source): number;
  /** Whose request it is; the owner with the fewest sent comes first. If absent, all have the same owner. */
  ownerOf?(source: Source): string | undefined;
  replyIn(message: unknown): Reply;
  /** Throws if the reply is a failure. */
  resultOf(reply: Reply): Result;
  /** The result of a request that took longer than `limitMs`, if that is not an error. */
  late(): Result;
}

/** The message that the thread receives. */
export interface ThreadRequest<Source> {
  readonly id: number;
  readonly source: Source;
}

interface Waiting<Source, Result> {
  readonly request: ThreadRequest<Source>;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export class WorkThread<Source, Reply extends { readonly id: number }, Result> {
  readonly #options: ThreadOptions<Source, Reply, Result>;
  readonly #waiting: Waiting<Source, Result>[] = [];
  /** Sent to the thread, which is handling the first of them. */
  #sent: Waiting<Source, Result>[] = [];
  #sentBytes = 0;
  #lastOwner = '';
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextId = 0;
  #closed = false;

  constructor(options: ThreadOptions<Source, Reply, Result>) {
    this.#options = options;
  }

  run(source: Source): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(this.#error('is closed'));
      this.#nextId += 1;
      this.#waiting.push({ request: { id: this.#nextId, source }, resolve, reject });
      this.#send();
    });
  }

  /** Starts the thread before the first request, in parallel with other startup work. */
  prepare(): void {
    if (this.#closed || this.#worker) return;
    this.#worker = this.#start();
    this.#worker.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const error = this.#error('is closed');
    for (const { reject } of [...this.#sent.splice(0), ...this.#waiting.splice(0)]) reject(error);
    await this.#worker?.terminate();
  }

  #send(): void {
    while (!this.#closed && this.#hasRoom()) {
      const next = this.#next();
      if (!next) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      const worker = this.#worker ?? this.#start();
      this.#worker = worker;
      this.#sent.push(next);
      this.#lastOwner = this.#options.ownerOf?.(next.request.source) ?? '';
      this.#sentBytes += this.#bytesOf(next);
      worker.postMessage(next.request);
      if (this.#sent.length > 1) continue;
      worker.ref();
      this.#watch();
    }
  }

  /** The first request of the owner with the fewest sent, and of another one than the last if they are equal. */
  #next(): Waiting<Source, Result> | undefined {
    const { ownerOf } = this.#options;
    if (!ownerOf) return this.#waiting[0];
    const sent = new CountMap();
    for (const { request } of this.#sent) sent.add(ownerOf(request.source) ?? '', 1);
    const waiting = new Map<string, Waiting<Source, Result>>();
    for (const each of this.#waiting) {
      const owner = ownerOf(each.request.source) ?? '';
      if (!waiting.has(owner)) waiting.set(owner, each);
    }
    const [first] = [...waiting].sort(
      ([a], [b]) =>
        sent.get(a) - sent.get(b) || Number(a === this.#lastOwner) - Number(b === this.#lastOwner),
    );
    return first?.[1];
  }

  #bytesOf(waiting: Waiting<Source, Result> | undefined): number {
    return waiting ? this.#options.bytesOf(waiting.request.source) : 0;
  }

  #hasRoom(): boolean {
    const { ahead } = this.#options;
    const bytes = this.#sentBytes + this.#bytesOf(this.#next());
    return this.#sent.length === 0 || (this.#sent.length < ahead.requests && bytes <= ahead.bytes);
  }

  /** Starts the timeout of the first request, when the one before it is done. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(), this.#options.limitMs);
  }

  #start(): Worker {
    const worker = new Worker(this.#options.workerUrl, { stdout: false, stderr: false });
    worker.on('message', (message: unknown) => this.#receive(worker, this.#options.replyIn(message)));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, this.#error('ended')));
    return worker;
  }

  #receive(worker: Worker, reply: Reply): void {
    if (this.#worker !== worker || this.#sent[0]?.request.id !== reply.id) return;
    this.#settle(() => this.#options.resultOf(reply));
    if (this.#sent.length > 0) this.#watch();
    else this.#idle();
    this.#send();
  }

  #giveUp(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    this.#settle(() => this.#options.late());
    this.#sendAgain();
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#settle(() => {
      throw error;
    });
    this.#sendAgain();
  }

  #settle(result: () => Result): void {
    const first = this.#sent.shift();
    this.#sentBytes -= this.#bytesOf(first);
    try {
      first?.resolve(result());
    } catch (error) {
      first?.reject(error);
    }
  }

  /** Sends the requests after the one that was given up to a new thread. */
  #sendAgain(): void {
    this.#idle();
    this.#waiting.unshift(...this.#sent);
    this.#sent = [];
    this.#sentBytes = 0;
    this.#send();
  }

  #idle(): void {
    clearTimeout(this.#timer);
    this.#worker?.unref();
  }

  #error(what: string): Error {
    return new Error(`the ${this.#options.name} thread ${what}`);
  }
}
