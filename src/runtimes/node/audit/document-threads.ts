/**
 * Reads documents in a worker thread, one at a time and in the order they came, so that no page delays a
 * heartbeat. A page that takes longer than `readMs` ends the thread, is reported as too slow, and the next one
 * gets a new thread. The thread starts with the first page and does not hold the process.
 */
import { Worker } from 'node:worker_threads';
import type { DocumentReader, DocumentSource, ReadDocument } from '../../../audits/index.js';
import type { ReadReply, ReadRequest } from './document-worker.js';

export interface DocumentThreads extends DocumentReader {
  close(): Promise<void>;
}

const READ_MS_DEFAULT = 10_000;

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
  #worker: Worker | undefined;
  #current: Waiting | undefined;
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
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const error = new Error('the document threads are closed');
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#current?.reject(error);
    this.#settle();
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#current || this.#closed) return;
    const waiting = this.#waiting.shift();
    if (!waiting) return;
    this.#current = waiting;
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    worker.ref();
    this.#timer = setTimeout(() => this.#giveUp(), this.#readMs);
    worker.postMessage(waiting.request);
  }

  #start(): Worker {
    const worker = new Worker(this.#workerUrl, { stdout: false, stderr: false });
    worker.on('message', (reply: ReadReply) => this.#receive(reply));
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('the document thread ended')));
    return worker;
  }

  #receive(reply: ReadReply): void {
    const waiting = this.#current;
    if (waiting?.request.id !== reply.id) return;
    this.#settle();
    if ('read' in reply) waiting.resolve(reply.read);
    else waiting.reject(new Error(reply.failed));
    this.#next();
  }

  #giveUp(): void {
    const waiting = this.#current;
    const worker = this.#worker;
    this.#worker = undefined;
    this.#settle();
    void worker?.terminate();
    waiting?.resolve({ document: null, fault: 'too-slow' });
    this.#next();
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const waiting = this.#current;
    this.#settle();
    waiting?.reject(error);
    this.#next();
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#current = undefined;
    this.#worker?.unref();
  }
}
