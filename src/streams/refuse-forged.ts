/**
 * Refuses offsets that the stream cannot have returned: past the end of their chunk or, in a JSON stream, inside a
 * message, where a read would return broken JSON. A valid offset of a JSON stream lies at the end of an append, where
 * a fork branched off (possibly between two messages of one append) or at the edge of a chunk. Most of these are
 * known without a read; otherwise the two bytes around the position are read, which shows whether a record ends there.
 */
import { isJson } from './media-type.js';
import { comparePositions, invalidOffset, type Position } from './offset.js';
import { planRead } from './read-plan.js';
import { readSpans } from './read-spans.js';
import type { StreamDeps } from './stream-deps.js';
import type { StreamState } from './stream-store.js';

export async function refuseForged(deps: StreamDeps, state: StreamState, at: Position): Promise<void> {
  if (isKnownEdge(state, at)) return;
  const { spans } = await planRead(deps.store, state, { from: at, bytesMax: 1 });
  const [span] = spans;
  if (!isJson(state.contentType)) return;
  // At the edge of a chunk or of an ancestor's part, where an append ends.
  if (span?.chunk !== at.chunk) return;
  const around = { ...span, lo: at.position - 1, hi: at.position + 1 };
  for await (const { bytes, ends } of readSpans(deps, { spans: [around] })) {
    deps.objects.release?.(bytes);
    if (ends.includes(at.position)) return;
  }
  throw invalidOffset('the offset is inside a message and was not returned by this stream');
}

function isKnownEdge({ tail, ancestors }: StreamState, at: Position): boolean {
  if (at.position === 0 || comparePositions(at, tail) === 0) return true;
  return ancestors.some(({ until }) => comparePositions(at, until) === 0);
}
