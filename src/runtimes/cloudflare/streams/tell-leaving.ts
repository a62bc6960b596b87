/**
 * A reader that goes away while nothing is written to it: the platform tells the Worker by the request's signal
 * (`enable_request_signal` in wrangler.jsonc), and the Worker the object. Signals do not travel in calls of objects, and
 * the end of the Worker's own call is not seen there (docs/decisions/0040-edge-objects.md).
 */
import { waitUntil } from 'cloudflare:workers';
import type { HotBufferRpc } from './hot-buffer-rpc.js';

/** A name for the reader of this request, to be sent with its call; the object hears of it when the reader goes. */
export function nameReader(object: HotBufferRpc, gone: AbortSignal): { readonly reader: string } {
  const reader = crypto.randomUUID();
  // By the stub that makes the call, so that it arrives after it. An object that cannot be told has no reader to lose.
  const tell = () => waitUntil(object.readerLeft(reader).catch(() => {}));
  gone.addEventListener('abort', tell, { once: true });
  return { reader };
}
