/** Parses large request bodies in a worker thread, one after another. A body that takes too long is refused. */
import type { SuiteInput, SuiteReader } from '../../../api/routes/suite-request.js';
import { SondeError } from '../../../errors.js';
import { WorkThread } from '../work-thread.js';
import type { ReadReply, RequestBody } from './request-worker.js';

export interface RequestThread extends SuiteReader {
  close(): Promise<void>;
}

const READ_MS = 10_000;

export function createRequestThread(workerUrl: URL, bytesMax: number): RequestThread {
  const thread = new WorkThread<RequestBody, ReadReply, SuiteInput>({
    workerUrl,
    name: 'request',
    limitMs: READ_MS,
    ahead: { requests: 1, bytes: 0 },
    bytesOf: ({ bytes }) => bytes.length,
    replyIn: (message) => message as ReadReply,
    resultOf(reply) {
      if ('input' in reply) return reply.input;
      if ('failed' in reply) throw new Error(reply.failed);
      const { code, message, details } = reply.refused;
      throw new SondeError(code, message, { details });
    },
    late() {
      throw new SondeError('INVALID_REQUEST', `The body could not be read within ${READ_MS} ms.`);
    },
  });
  return {
    bytesMax,
    read: (bytes, tenantId) => thread.run({ bytes, tenantId }),
    close: () => thread.close(),
  };
}
