/**
 * Moves a full chunk from hot rows into one immutable cold segment. Each step may be repeated after a crash: the
 * segment is written again with the same bytes, and marking a chunk cold twice changes nothing. The hot rows are
 * deleted only once the segment is durable. A chunk is read in parts, so that no append waits for all of it.
 */
import { segmentKey } from './object-store.js';
import { digestOf, type ReadDeps } from './read-spans.js';
import { encodeSegment } from './segment.js';
import type { Arrival, ChunkRow, ChunkSpan, HotBytes, StreamKey, UnsealedChunk } from './stream-store.js';

/** The limits of one store call, because appends to other streams wait for it. */
const PART_BYTES = 1024 * 1024;
const PART_RECORDS = 2_000;

type Gone = 'cold' | 'removed';
/** What sealing a chunk comes to whose hot rows are gone. */
const GONE = { cold: 'sealed', removed: 'removed' } as const;

export async function sealChunk(
  deps: ReadDeps,
  { stream, chunk }: UnsealedChunk,
): Promise<'sealed' | 'removed' | 'corrupt'> {
  const [row] = await deps.store.chunks(stream, chunk, chunk);
  if (!row) return 'removed';
  const records = await readRecords(deps, stream, row);
  if (typeof records === 'string') return GONE[records];
  const read = await readParts(deps, { stream, row, records });
  if (typeof read === 'string') return GONE[read];
  // Damaged rows stay where they are: a segment would give them a fresh checksum.
  if (read.corruptAt !== null) {
    await deps.onCorrupt(stream, { chunk, position: read.corruptAt });
    return 'corrupt';
  }
  const arrivals = records.map(({ at }) => at);
  const key = segmentKey(digestOf(stream.life), chunk);
  await deps.objects.put(key, encodeSegment(read.bytes, { start: row.start, ends: read.ends, arrivals }));
  if (await deps.store.markCold(stream, chunk)) return 'sealed';
  await deps.objects.remove(key);
  return 'removed';
}

async function readRecords(
  { store }: ReadDeps,
  stream: StreamKey,
  { chunk, start, end }: ChunkRow,
): Promise<readonly Arrival[] | Gone> {
  const records: Arrival[] = [];
  for (let lo = start; lo < end; ) {
    const some = await store.arrivals(stream, { chunk, lo, hi: end }, PART_RECORDS);
    if (typeof some === 'string') return some;
    records.push(...some);
    const last = some.at(-1);
    if (!last || some.length < PART_RECORDS) break;
    lo = last.end;
  }
  return records;
}

interface ChunkRead {
  readonly stream: StreamKey;
  readonly row: ChunkRow;
  readonly records: readonly Arrival[];
}

async function readParts({ store }: ReadDeps, { stream, row, records }: ChunkRead): Promise<HotBytes | Gone> {
  const bytes = new Uint8Array(row.end - row.start);
  for (const span of partsOf(row, records)) {
    const part = await store.readHot(stream, { ...span, isPart: true });
    // With `isPart`, `corruptAt` may lie inside a record. A full read finds where the damaged record begins.
    const hot =
      typeof part !== 'string' && part.corruptAt !== null ? await store.readHot(stream, span) : part;
    if (typeof hot === 'string' || hot.corruptAt !== null) return hot;
    bytes.set(hot.bytes, span.lo - row.start);
  }
  return { bytes, ends: records.map(({ end }) => end), corruptAt: null };
}

/** Covers the whole chunk, even if its rows are damaged and the records end before it does. */
function* partsOf({ chunk, start, end }: ChunkRow, records: readonly Arrival[]): Generator<ChunkSpan> {
  let lo = start;
  let count = 0;
  for (const record of records) {
    const isFull = count === PART_RECORDS || record.end - lo > PART_BYTES;
    if (isFull && record.start > lo) {
      yield { chunk, lo, hi: record.start };
      lo = record.start;
      count = 0;
    }
    count++;
    for (; record.end - lo > PART_BYTES; lo += PART_BYTES) yield { chunk, lo, hi: lo + PART_BYTES };
  }
  yield { chunk, lo, hi: end };
}
