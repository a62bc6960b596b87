/** DELETE: hides a stream from callers at once. Its bytes are removed once no fork needs them. */
import { openStream } from './open-stream.js';
import { removeStream } from './remove-stream.js';
import type { StreamDeps } from './stream-deps.js';
import { notFound } from './stream-life.js';
import type { StreamCall, StreamResponse } from './stream-response.js';

export async function deleteStream(deps: StreamDeps, call: StreamCall): Promise<StreamResponse> {
  if (await removeStream(deps, await openStream(deps, call.id))) return { status: 204, headers: {} };
  // Another call deleted it first. This throws 410 if forks keep the stream, 404 if it is gone.
  await openStream(deps, call.id);
  throw notFound();
}
