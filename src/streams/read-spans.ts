/**
 * The bytes of a plan, chunk by chunk, with the next one being fetched while the last is written out; never
 * more than two chunks are in memory. A record that does not verify ends the read with `STREAM_CORRUPT`
 * after everything before it has been handed out.
 */
import { SondeError } from '../errors.js';
import { hashParts } from '../net/index.js';
import { type ObjectStore, segmentKey } from './object-store.js';
import { comparePositions, type Position } from './offset.js';
import type { PlannedSpan, ReadPlan } from './read-plan.js';
import { readSegment } from './segment.js';
import type { HotBytes, StreamState, StreamStore } from './stream-store.js';

export interface ReadParts {
  readonly store: StreamStore;
  readonly objects: ObjectStore;
  /** Told where the bytes that a stream holds itself are damaged. */
  onCorrupt(id: string, from: Position): Promise<void>;
}

export interface Piece {
  readonly bytes: Uint8Array;
  readonly chunk: number;
  readonly lo: number;
  readonly ends: readonly number[];
  /** The position after it. */
  readonly next: Position;
}

export async function* readSpans(parts: ReadParts, plan: Pick<ReadPlan, 'spans'>): AsyncGenerator<Piece> {
  let next = fetchAhead(parts, plan.spans[0]);
  for (const [index, span] of plan.spans.entries()) {
    const found = await next;
    next = fetchAhead(parts, plan.spans[index + 1]);
    if (found.bytes.length > 0) yield pieceOf(span, found);
    if (found.corruptAt === null) continue;
    // Known before the read breaks off: whoever comes back finds a clear answer.
    await parts.onCorrupt(span.ownerId, { chunk: span.chunk, position: found.corruptAt });
    throw corrupt();
  }
}

function pieceOf(span: PlannedSpan, { bytes, ends }: HotBytes): Piece {
  const end = span.lo + bytes.length;
  const next = end === span.hi ? span.next : { chunk: span.chunk, position: end };
  return { bytes, ends, chunk: span.chunk, lo: span.lo, next };
}

/** From where a stream is known to be damaged on, no read begins. */
export function refuseDamaged({ corruptFrom }: StreamState, from: Position): void {
  if (corruptFrom && comparePositions(from, corruptFrom) >= 0) throw corrupt();
}

export function corrupt(): SondeError {
  return new SondeError('STREAM_CORRUPT', 'the stored bytes from here on are not the ones that were written');
}

/** Digests name cold segments: ids hold what callers chose and could be anything. */
export function digestOf(id: string): string {
  return hashParts([id]);
}

/** A reader may leave before it asks for what was fetched ahead; nobody is left then to hear of a failure. */
function fetchAhead(parts: ReadParts, span: PlannedSpan | undefined): Promise<HotBytes> {
  const fetched = fetchSpan(parts, span);
  fetched.catch(() => {});
  return fetched;
}

async function fetchSpan(parts: ReadParts, span: PlannedSpan | undefined): Promise<HotBytes> {
  if (!span) return { bytes: new Uint8Array(0), ends: [], corruptAt: null };
  if (!span.cold) {
    const hot = await parts.store.readHot(span.ownerId, span);
    // Between plan and read the chunk may have gone cold: then its hot rows are gone.
    if (hot.corruptAt === null || hot.bytes.length > 0) return hot;
    const [row] = await parts.store.chunks(span.ownerId, span.chunk, span.chunk);
    if (!row?.cold) return hot;
  }
  const segment = await parts.objects.get(segmentKey(digestOf(span.ownerId), span.chunk));
  return (segment && readSegment(segment, span)) ?? lost(parts, span);
}

/** Without its segment, or the segment's index, nothing of a chunk can be told from damage. */
async function lost({ store }: ReadParts, { ownerId, chunk, lo }: PlannedSpan): Promise<HotBytes> {
  const [row] = await store.chunks(ownerId, chunk, chunk);
  return { bytes: new Uint8Array(0), ends: [], corruptAt: Math.min(row?.start ?? 0, lo) };
}
