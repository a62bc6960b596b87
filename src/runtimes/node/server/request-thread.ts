/**
 * Parses large request bodies in a worker thread, one after another. The thread starts with the first body and does not
 * keep the process alive. A body that takes longer than `readMs` is refused and its thread is terminated; waiting
 * bodies go to a new thread.
 */
import { Worker } from 'node:worker_threads';
import type { SuiteInput, SuiteReader } from '../../../api/routes/suite-request.js';
import { SondeError } from '../../../errors.js';
import type { ReadReply, ReadRequest } from './request-worker.js';

export interface RequestThread extends SuiteReader {
  close(): Promise<void>;
}

interface Waiting {
  readonly request: ReadRequest;
  resolve(input: SuiteInput): void;
  reject(error: Error): void;
}

const READ_MS = 10_000;

export function createRequestThread(
  workerUrl: URL,
  { bytesMax, readMs = READ_MS }: { readonly bytesMax: number; readonly readMs?: number },
): RequestThread {
  const queue: Waiting[] = [];
  let current: Waiting | undefined;
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;

  const next = (): void => {
    clearTimeout(timer);
    current = queue.shift();
    if (!current) return worker?.unref();
    worker ??= start();
    worker.ref();
    worker.postMessage(current.request);
    timer = setTimeout(() => lose(worker, tooSlow(readMs)), readMs);
  };

  const start = (): Worker => {
    const started = new Worker(workerUrl, { stdout: false, stderr: false });
    started.on('message', (reply: ReadReply) => {
      if (worker !== started || current?.request.id !== reply.id) return;
      if ('input' in reply) current.resolve(reply.input);
      else current.reject(errorOf(reply));
      next();
    });
    started.on('error', (error) => lose(started, error));
    started.on('exit', () => lose(started, new Error('the request thread ended')));
    return started;
  };

  const lose = (lost: Worker | undefined, error: Error): void => {
    if (worker !== lost) return;
    worker = undefined;
    void lost?.terminate();
    current?.reject(error);
    next();
  };

  return {
    bytesMax,
    read: (bytes, tenantId) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        queue.push({ request: { id: lastId, bytes, tenantId }, resolve, reject });
        if (!current) next();
      }),
    async close() {
      for (const { reject } of queue.splice(0)) reject(new Error('the request thread is closed'));
      const last = worker;
      lose(last, new Error('the request thread is closed'));
      await last?.terminate();
    },
  };
}

function errorOf(reply: Exclude<ReadReply, { input: SuiteInput }>): Error {
  if ('failed' in reply) return new Error(reply.failed);
  const { code, message, details } = reply.refused;
  return new SondeError(code, message, { details });
}

function tooSlow(readMs: number): SondeError {
  return new SondeError('INVALID_REQUEST', `The body could not be read within ${readMs} ms.`);
}
