/** The thread that parses large request bodies, so that parsing a recording delays no other request. */
import { parentPort } from 'node:worker_threads';
import { readSuiteRequest, type SuiteInput } from '../../../api/routes/suite-request.js';
import { type ErrorCode, type ErrorDetails, SondeError } from '../../../errors.js';

export interface ReadRequest {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly tenantId: string;
}

export type ReadReply = { readonly id: number } & (
  | { readonly input: SuiteInput }
  | {
      readonly refused: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly details: ErrorDetails;
      };
    }
  | { readonly failed: string }
);

if (!parentPort) throw new Error('the request worker runs in a worker thread');
const port = parentPort;

async function replyTo({ id, bytes, tenantId }: ReadRequest): Promise<ReadReply> {
  try {
    return { id, input: await readSuiteRequest(bytes, tenantId) };
  } catch (thrown) {
    if (!(thrown instanceof SondeError)) return { id, failed: String(thrown) };
    const { code, message, details } = thrown;
    return { id, refused: { code, message, details } };
  }
}

port.on('message', async (request: ReadRequest) => port.postMessage(await replyTo(request)));
