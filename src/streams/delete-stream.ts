/** DELETE: ends a stream, now for its callers and, once no fork needs it, for good. */
import { openStream } from './open-stream.js';
import { removeStream } from './remove-stream.js';
import type { StreamAnswer, StreamCall } from './stream-answer.js';
import { notFound } from './stream-life.js';
import type { StreamParts } from './stream-parts.js';

export async function deleteStream(parts: StreamParts, call: StreamCall): Promise<StreamAnswer> {
  if (await removeStream(parts, await openStream(parts, call.id))) return { status: 204, headers: {} };
  // Another call was first: its stream is gone, or kept for its forks.
  await openStream(parts, call.id);
  throw notFound();
}
