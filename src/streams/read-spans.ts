/**
 * Reads the bytes of a plan, by chunk or by part of a chunk. The next piece is fetched while the caller sends the
 * last, so at most two chunks are in memory. A record with a wrong checksum ends the read with `STREAM_CORRUPT`,
 * after all bytes before it. Missing bytes are not damage: the stream was removed, or its segments are unavailable
 * and may come back.
 */
import { SondeError } from '../errors.js';
import { hashParts } from '../net/index.js';
import { segmentKey } from './object-store.js';
import { comparePositions, type Position } from './offset.js';
import type { PlannedSpan, ReadPlan } from './read-plan.js';
import { readSegment } from './segment.js';
import type { StreamDeps } from './stream-deps.js';
import { isCurrent, notFound } from './stream-life.js';
import type { HotBytes, StreamState } from './stream-store.js';

/** `onCorrupt` is called with the stream that holds the damaged bytes, which may be an ancestor. */
export type ReadDeps = Pick<StreamDeps, 'store' | 'objects' | 'onCorrupt'>;

export interface Piece {
  readonly bytes: Uint8Array;
  readonly chunk: number;
  readonly lo: number;
  readonly ends: readonly number[];
  readonly next: Position;
}

export async function* readSpans(deps: ReadDeps, { spans }: Pick<ReadPlan, 'spans'>): AsyncGenerator<Piece> {
  const left = [...spans];
  let next = fetchAhead(deps, left[0]);
  for (let span = left.shift(); span; span = left.shift()) {
    const found = await next;
    const end = span.lo + found.bytes.length;
    const isPart = found.corruptAt === null && end > span.lo && end < span.hi;
    if (isPart) left.unshift({ ...span, lo: end });
    next = fetchAhead(deps, left[0]);
    if (found.bytes.length > 0) yield pieceOf(span, found);
    if (found.corruptAt === null) continue;
    // Recorded before the read ends early, so that a client that returns gets a clear error.
    await deps.onCorrupt(span.owner, { chunk: span.chunk, position: found.corruptAt });
    throw corrupt();
  }
}

function pieceOf(span: PlannedSpan, { bytes, ends }: HotBytes): Piece {
  const end = span.lo + bytes.length;
  const next = end === span.hi ? span.next : { chunk: span.chunk, position: end };
  return { bytes, ends, chunk: span.chunk, lo: span.lo, next };
}

/** Throws if the read would begin at or after known damage. */
export function refuseDamaged({ corruptFrom }: StreamState, from: Position): void {
  if (corruptFrom && comparePositions(from, corruptFrom) >= 0) throw corrupt();
}

export function corrupt(): SondeError {
  return new SondeError('STREAM_CORRUPT', 'the stored bytes from this offset on do not match their checksum');
}

/** Segments are named by digest, because callers chose the lives in older data folders, which can contain anything. */
export function digestOf(life: string): string {
  return hashParts([life]);
}

/** Handles the rejection of a prefetch that the reader never awaits because it has left. */
function fetchAhead(deps: ReadDeps, span: PlannedSpan | undefined): Promise<HotBytes> {
  const fetched = fetchSpan(deps, span);
  fetched.catch(() => {});
  return fetched;
}

async function fetchSpan(deps: ReadDeps, span: PlannedSpan | undefined): Promise<HotBytes> {
  if (!span) return { bytes: new Uint8Array(0), ends: [], corruptAt: null };
  if (!span.cold) {
    const hot = await deps.store.readHot(span.owner, span);
    if (hot === 'removed') throw notFound();
    if (hot !== 'cold') return hot;
  }
  const segment = await deps.objects.get(segmentKey(digestOf(span.owner.life), span.chunk));
  if (!segment) throw await missingSegment(deps, span);
  return readSegment(segment, span) ?? unreadable(deps, span);
}

export async function missingSegment(
  { store }: Pick<ReadDeps, 'store'>,
  { owner, chunk }: PlannedSpan,
): Promise<SondeError> {
  if (!(await isCurrent(store, owner))) return notFound();
  return new SondeError(
    'STORAGE_UNAVAILABLE',
    `segment ${chunk} of the stream is missing from storage; the read works again once it is back`,
    { details: { chunk } },
  );
}

/** Without the segment's index, no byte of the chunk can be verified. */
async function unreadable({ store }: ReadDeps, { owner, chunk, lo }: PlannedSpan): Promise<HotBytes> {
  const [row] = await store.chunks(owner, chunk, chunk);
  return { bytes: new Uint8Array(0), ends: [], corruptAt: Math.min(row?.start ?? 0, lo) };
}
