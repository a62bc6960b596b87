/**
 * Plans a read before any byte is fetched: a list of chunk spans, each with the stream that holds it, from a position
 * up to the current tail. A plan crosses from ancestors into forks and from cold into hot chunks. If it would exceed
 * its bound, it ends at the end of a chunk instead.
 */
import { comparePositions, invalidOffset, type Position } from './offset.js';
import { isCurrent, notFound } from './stream-life.js';
import type { Ancestor, ChunkRow, ChunkSpan, StreamKey, StreamState, StreamStore } from './stream-store.js';

export interface PlannedSpan extends ChunkSpan {
  readonly owner: StreamKey;
  readonly cold: boolean;
  readonly next: Position;
}

export interface ReadPlan {
  readonly spans: readonly PlannedSpan[];
  readonly from: Position;
  readonly end: Position;
  readonly bytes: number;
  /** Whether `end` is the stream's tail. */
  readonly complete: boolean;
}

interface Owned extends StreamKey {
  readonly until: Position;
}

export async function planRead(
  store: StreamStore,
  state: StreamState,
  request: { readonly from: Position; readonly bytesMax: number },
): Promise<ReadPlan> {
  const { from, bytesMax } = request;
  const spans: PlannedSpan[] = [];
  let bytes = 0;
  let end = from;
  for (const owned of ownersOf(state)) {
    if (comparePositions(owned.until, end) <= 0) continue;
    const rows = await sealedChunks(store, owned, end.chunk);
    for (const span of spansOf(owned, end, rows)) {
      const isChunkStart = end.position === 0;
      if (spans.length > 0 && isChunkStart && bytes + span.hi > bytesMax) {
        return { spans, from, end, bytes, complete: false };
      }
      if (span.hi > span.lo) spans.push(span);
      bytes += span.hi - span.lo;
      end = span.next;
    }
  }
  return { spans, from, end: state.tail, bytes, complete: true };
}

/** The owner's sealed chunks from `first` on, in order. Throws if the owner was removed since the read began. */
async function sealedChunks(store: StreamStore, owned: Owned, first: number): Promise<readonly ChunkRow[]> {
  const rows = await store.chunks(owned, first, owned.until.chunk);
  // Normally every chunk before the last is sealed, so missing rows usually mean that the stream was removed.
  if (rows.length < owned.until.chunk - first && !(await isCurrent(store, owned))) throw notFound();
  return rows;
}

/** Cuts a line of ancestors off at `point`. All of them stay listed, even those that contribute no bytes. */
export function lineUpTo(line: readonly Ancestor[], point: Position): Ancestor[] {
  return line.map((ancestor) =>
    comparePositions(ancestor.until, point) <= 0 ? ancestor : { ...ancestor, until: point },
  );
}

/** The streams whose bytes make up this one, from the root down, each with the end of its part. */
function ownersOf(state: StreamState): Owned[] {
  return [...state.ancestors, { id: state.id, life: state.life, until: state.tail }];
}

/** Gaps in the chunk numbers are chunks that were skipped after a loss (`skip-chunks.ts`); they hold no bytes. */
function* spansOf(owned: Owned, begin: Position, sealed: readonly ChunkRow[]): Generator<PlannedSpan> {
  const { until } = owned;
  const chunks = sealed.map(({ chunk }) => chunk);
  if (chunks.at(-1) !== until.chunk) chunks.push(until.chunk);
  if (chunks[0] !== begin.chunk) throw invalidOffset('the offset lies in a part of the stream that was lost');
  for (const [index, chunk] of chunks.entries()) {
    const row = sealed[index];
    const next = chunks[index + 1];
    const hi = next === undefined ? Math.min(until.position, row?.end ?? until.position) : (row?.end ?? 0);
    const lo = chunk === begin.chunk ? begin.position : 0;
    if (lo > hi) throw invalidOffset('the offset is beyond the end of its chunk');
    const after = next === undefined ? until : { chunk: next, position: 0 };
    yield { owner: owned, chunk, lo, hi, cold: row?.cold === true, next: after };
  }
}
