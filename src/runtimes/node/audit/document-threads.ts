/** Reads documents in a worker thread, so that no page delays a heartbeat. */
import type { DocumentReader, DocumentSource, ReadDocument } from '../../../audits/index.js';
import { WorkThread } from '../work-thread.js';
import type { ReadReply } from './document-worker.js';

export interface DocumentThreads extends DocumentReader {
  /** Starts the thread before the first page, in parallel with other startup work. */
  prepare(): void;
  close(): Promise<void>;
}

const READ_MS_DEFAULT = 10_000;
/** As many pages as the crawl has in flight: with eight, the thread was idle while the main thread processed a batch. */
const AHEAD = { requests: 40, bytes: 4_000_000 } as const;

export function createDocumentThreads(workerUrl: URL, options: { readMs?: number } = {}): DocumentThreads {
  const thread = new WorkThread<DocumentSource, ReadReply, ReadDocument>({
    workerUrl,
    name: 'document',
    limitMs: options.readMs ?? READ_MS_DEFAULT,
    ahead: AHEAD,
    bytesOf: ({ bytes }) => bytes.length,
    ownerOf: ({ owner }) => owner,
    replyIn: (text) => JSON.parse(text as string) as ReadReply,
    resultOf(reply) {
      if ('read' in reply) return reply.read;
      throw new Error(reply.failed);
    },
    late: () => ({ document: null, fault: 'too-slow' }),
  });
  return {
    read: (source) => thread.run(source),
    prepare: () => thread.prepare(),
    close: () => thread.close(),
  };
}
