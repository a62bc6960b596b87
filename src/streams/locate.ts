/**
 * Finds the position a number of bytes after an offset that the stream returned, for a reader whose response ended in
 * the middle. Uses only the lengths of chunks; reads no stream bytes.
 */
import { invalidOffset, type Position, parseOffset } from './offset.js';
import { openStream } from './open-stream.js';
import { planRead } from './read-plan.js';
import { resolvePosition } from './resolve-position.js';
import type { StreamDeps } from './stream-deps.js';
import type { StreamState } from './stream-store.js';

export interface Place {
  readonly state: StreamState;
  readonly from: Position;
}

export interface PlaceName {
  readonly offset: string;
  readonly skip: number;
}

export async function locate(deps: StreamDeps, id: string, { offset, skip }: PlaceName): Promise<Place> {
  const token = parseOffset(offset);
  const state = await openStream(deps, id);
  return { state, from: await skipBytes(deps, state, { from: resolvePosition(state, token), skip }) };
}

async function skipBytes(
  { store }: StreamDeps,
  state: StreamState,
  { from, skip }: { readonly from: Position; readonly skip: number },
): Promise<Position> {
  let at = from;
  let left = skip;
  while (left > 0) {
    const { spans, complete } = await planRead(store, state, { from: at, bytesMax: left });
    for (const { chunk, lo, hi, next } of spans) {
      if (left < hi - lo) return { chunk, position: lo + left };
      left -= hi - lo;
      at = next;
    }
    if (left === 0) return at;
    if (complete) throw invalidOffset('the offset and skip are beyond the end of the stream');
  }
  return at;
}
