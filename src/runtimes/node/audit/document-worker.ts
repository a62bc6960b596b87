/** The thread that parses pages: half a megabyte of HTML keeps a core busy for a tenth of a second. */
import { parentPort } from 'node:worker_threads';
import { readDocument } from '../../../audits/extract/index.js';
import type { DocumentSource, ReadDocument } from '../../../audits/index.js';
import { createRedactor } from '../../../net/index.js';
import { sha256 } from '../sha256.js';

export interface ReadRequest {
  readonly id: number;
  readonly source: DocumentSource;
}

export type ReadReply =
  | { readonly id: number; readonly read: ReadDocument }
  | { readonly id: number; readonly failed: string };

if (!parentPort) throw new Error('the document worker runs in a worker thread');
const port = parentPort;
/** Links with a query stand on many pages of a site too. */
const redactor = createRedactor({ remembered: 1_000 });

function replyTo({ id, source }: ReadRequest): ReadReply {
  try {
    return { id, read: readDocument(source, redactor.text, sha256) };
  } catch (thrown) {
    return { id, failed: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

// As text: cloning the many small objects of a page took both threads several times as long.
port.on('message', (request: ReadRequest) => port.postMessage(JSON.stringify(replyTo(request))));
