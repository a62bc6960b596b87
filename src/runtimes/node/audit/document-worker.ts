/** The thread that parses pages. Half a megabyte of HTML takes a tenth of a second of CPU time. */
import { parentPort } from 'node:worker_threads';
import { readDocument } from '../../../audits/extract/index.js';
import type { DocumentSource, ReadDocument } from '../../../audits/index.js';
import { createRedactor } from '../../../net/index.js';
import { sha256 } from '../sha256.js';
import type { ThreadRequest } from '../work-thread.js';

export type ReadReply =
  | { readonly id: number; readonly read: ReadDocument }
  | { readonly id: number; readonly failed: string };

if (!parentPort) throw new Error('the document worker runs in a worker thread');
const port = parentPort;
/** Remembers texts, because the same links with a query appear on many pages of a site. */
const redactor = createRedactor({ remembered: 1_000 });

function replyTo({ id, source }: ThreadRequest<DocumentSource>): ReadReply {
  try {
    return { id, read: readDocument(source, redactor.text, sha256) };
  } catch (thrown) {
    return { id, failed: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

// Sent as text, because cloning the many small objects of a page took both threads several times as long.
port.on('message', (request: ThreadRequest<DocumentSource>) =>
  port.postMessage(JSON.stringify(replyTo(request))),
);
