/**
 * Detects a reader that disconnects while nothing is written to it. The platform aborts the request's signal in the
 * Worker (`enable_request_signal` in wrangler.jsonc), and the Worker notifies the object. Signals cannot be passed to
 * objects, and an object does not see that the Worker's call has ended (docs/decisions/edge.md, 0040).
 */
import { waitUntil } from 'cloudflare:workers';
import type { HotBufferRpc } from './hot-buffer-rpc.js';

/** Creates an id for the reader of this request, to send with the call, and notifies the object when it leaves. */
export function nameReader(object: HotBufferRpc, gone: AbortSignal): { readonly reader: string } {
  const reader = crypto.randomUUID();
  // Uses the stub of the call, so that it arrives after the call. An object that cannot be reached has no reader.
  const notify = () => waitUntil(object.readerLeft(reader).catch(() => {}));
  gone.addEventListener('abort', notify, { once: true });
  return { reader };
}
