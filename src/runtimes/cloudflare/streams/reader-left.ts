/**
 * A reader that disconnects while nothing is written to it: the platform aborts the request's signal in the Worker
 * (`enable_request_signal` in wrangler.jsonc), and the Worker the object. Signals do not travel in calls of objects, and
 * the end of the Worker's own call is not seen there (docs/decisions/0040-edge-objects.md).
 */
import { waitUntil } from 'cloudflare:workers';
import type { HotBufferRpc } from './hot-buffer-rpc.js';

/** An id for the reader of this request, sent with its call; the object is notified when the reader leaves. */
export function nameReader(object: HotBufferRpc, gone: AbortSignal): { readonly reader: string } {
  const reader = crypto.randomUUID();
  // By the stub that makes the call, so that it arrives after it. If the object cannot be reached, it has no reader to release.
  const notify = () => waitUntil(object.readerLeft(reader).catch(() => {}));
  gone.addEventListener('abort', notify, { once: true });
  return { reader };
}
