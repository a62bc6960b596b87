/** The thread that parses large request bodies, so that parsing a recording delays no other request. */
import { parentPort } from 'node:worker_threads';
import { readSuiteRequest, type SuiteInput } from '../../../api/routes/suite-request.js';
import { SondeError } from '../../../errors.js';
import type { ThreadRequest } from '../work-thread.js';

export interface RequestBody {
  readonly bytes: Uint8Array;
  readonly tenantId: string;
}

export type ReadReply = { readonly id: number } & (
  | { readonly input: SuiteInput }
  | { readonly refused: Pick<SondeError, 'code' | 'message' | 'details'> }
  | { readonly failed: string }
);

if (!parentPort) throw new Error('the request worker runs in a worker thread');
const port = parentPort;

async function replyTo({ id, source }: ThreadRequest<RequestBody>): Promise<ReadReply> {
  try {
    return { id, input: await readSuiteRequest(source.bytes, source.tenantId) };
  } catch (thrown) {
    if (!(thrown instanceof SondeError)) return { id, failed: String(thrown) };
    const { code, message, details } = thrown;
    return { id, refused: { code, message, details } };
  }
}

port.on('message', async (request: ThreadRequest<RequestBody>) => port.postMessage(await replyTo(request)));
