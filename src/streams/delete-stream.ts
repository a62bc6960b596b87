/** DELETE: ends a stream, now for its callers and, once no fork needs it, for good. */
import { openStream } from './open-stream.js';
import { removeStream } from './remove-stream.js';
import type { StreamDeps } from './stream-deps.js';
import { notFound } from './stream-life.js';
import type { StreamCall, StreamResponse } from './stream-response.js';

export async function deleteStream(deps: StreamDeps, call: StreamCall): Promise<StreamResponse> {
  if (await removeStream(deps, await openStream(deps, call.id))) return { status: 204, headers: {} };
  // Another call was first: its stream is gone, or kept for its forks.
  await openStream(deps, call.id);
  throw notFound();
}
