/**
 * Resolves an offset to a position in a stream. A stream accepts its own offsets, and those of its ancestors up to
 * where it branched off. Offsets of other streams and positions past the tail are refused.
 */
import { comparePositions, invalidOffset, type OffsetToken, type Position, START } from './offset.js';
import type { StreamState } from './stream-store.js';

export function resolvePosition(state: StreamState, token: OffsetToken): Position {
  if (token.kind === 'start') return START;
  if (token.kind === 'now') return state.tail;
  if (token.kind === 'beyond') throw invalidOffset('the offset is beyond the end of the stream');
  const ancestor = state.ancestors.find(({ hash }) => hash === token.hash);
  const until = token.hash === state.hash ? state.tail : ancestor?.until;
  if (!until) throw invalidOffset('the offset belongs to another stream');
  if (comparePositions(token.position, until) > 0)
    throw invalidOffset('the offset is beyond the end of the stream');
  return token.position;
}
