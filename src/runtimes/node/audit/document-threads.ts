/**
 * Reads documents in a worker thread, in order, so that no page delays a heartbeat. Several pages are sent ahead, so
 * that the thread has work while the main thread is busy. A page that takes longer than `readMs` is reported as too
 * slow and its thread is terminated; the pages after it go to a new thread. The thread starts with the first page, or
 * earlier on request, and does not keep the process alive.
 */
import { Worker } from 'node:worker_threads';
import type { DocumentReader, DocumentSource, ReadDocument } from '../../../audits/index.js';
import type { ReadReply, ReadRequest } from './document-worker.js';

export interface DocumentThreads extends DocumentReader {
  /** Starts the thread before the first page, in parallel with other startup work. */
  prepare(): void;
  close(): Promise<void>;
}

const READ_MS_DEFAULT = 10_000;
/**
 * The maximum pages and bytes that are sent ahead; one page is always allowed. This is as many pages as the crawl has
 * in flight: with eight, the thread was idle while the main thread processed a batch.
 */
const AHEAD = { pages: 40, bytes: 4_000_000 } as const;

interface Waiting {
  readonly request: ReadRequest;
  resolve(read: ReadDocument): void;
  reject(error: Error): void;
}

export function createDocumentThreads(workerUrl: URL, options: { readMs?: number } = {}): DocumentThreads {
  return new Threads(workerUrl, options.readMs ?? READ_MS_DEFAULT);
}

class Threads implements DocumentThreads {
  readonly #workerUrl: URL;
  readonly #readMs: number;
  readonly #waiting: Waiting[] = [];
  /** Sent to the thread, which is reading the first of them. */
  #sent: Waiting[] = [];
  #sentBytes = 0;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #nextId = 0;
  #closed = false;

  constructor(workerUrl: URL, readMs: number) {
    this.#workerUrl = workerUrl;
    this.#readMs = readMs;
  }

  read(source: DocumentSource): Promise<ReadDocument> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error('the document threads are closed'));
      this.#nextId += 1;
      this.#waiting.push({ request: { id: this.#nextId, source }, resolve, reject });
      this.#send();
    });
  }

  prepare(): void {
    if (this.#closed || this.#worker) return;
    this.#worker = this.#start();
    this.#worker.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const error = new Error('the document threads are closed');
    for (const { reject } of [...this.#sent.splice(0), ...this.#waiting.splice(0)]) reject(error);
    await this.#worker?.terminate();
  }

  #send(): void {
    while (!this.#closed && this.#hasRoom()) {
      const next = this.#waiting.shift();
      if (!next) return;
      const worker = this.#worker ?? this.#start();
      this.#worker = worker;
      this.#sent.push(next);
      this.#sentBytes += next.request.source.bytes.length;
      worker.postMessage(next.request);
      if (this.#sent.length > 1) continue;
      worker.ref();
      this.#watch();
    }
  }

  #hasRoom(): boolean {
    const bytes = this.#sentBytes + (this.#waiting[0]?.request.source.bytes.length ?? 0);
    return this.#sent.length === 0 || (this.#sent.length < AHEAD.pages && bytes <= AHEAD.bytes);
  }

  /** Starts the timeout of the first page, when the one before it is done. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(), this.#readMs);
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl, { stdout: false, stderr: false });
    worker.on('message', (reply: string) => this.#receive(worker, JSON.parse(reply) as ReadReply));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('the document thread ended')));
    return worker;
  }

  #receive(worker: Worker, reply: ReadReply): void {
    if (this.#worker !== worker || this.#sent[0]?.request.id !== reply.id) return;
    const first = this.#take();
    if ('read' in reply) first?.resolve(reply.read);
    else first?.reject(new Error(reply.failed));
    if (this.#sent.length > 0) this.#watch();
    else this.#idle();
    this.#send();
  }

  #giveUp(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    this.#take()?.resolve({ document: null, fault: 'too-slow' });
    this.#sendAgain();
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#take()?.reject(error);
    this.#sendAgain();
  }

  #take(): Waiting | undefined {
    const first = this.#sent.shift();
    this.#sentBytes -= first?.request.source.bytes.length ?? 0;
    return first;
  }

  /** Sends the pages after the one that was given up to a new thread. */
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
}
