/**
 * Moves a full chunk from hot rows into one immutable cold segment. Each step may be repeated after a crash:
 * the segment is written again with the same bytes, and marking a chunk cold twice changes nothing. The hot
 * rows go only once the segment is durable.
 */
import { segmentKey } from './object-store.js';
import { digestOf } from './read-spans.js';
import { encodeSegment } from './segment.js';
import type { StreamDeps } from './stream-deps.js';
import type { UnsealedChunk } from './stream-store.js';

export async function sealChunk(
  deps: Pick<StreamDeps, 'store' | 'objects' | 'onCorrupt'>,
  { stream, chunk }: UnsealedChunk,
): Promise<'sealed' | 'removed' | 'corrupt'> {
  const [row] = await deps.store.chunks(stream, chunk, chunk);
  if (!row) return 'removed';
  const hot = await deps.store.readHot(stream, { chunk, lo: row.start, hi: row.end });
  if (hot === 'cold') return 'sealed';
  if (hot === 'removed') return 'removed';
  // Damaged rows stay where they are: a segment would give them a fresh checksum.
  if (hot.corruptAt !== null) {
    await deps.onCorrupt(stream, { chunk, position: hot.corruptAt });
    return 'corrupt';
  }
  const arrivals = await deps.store.arrivals(stream, { chunk, lo: row.start, hi: row.end }, hot.ends.length);
  const times = typeof arrivals === 'string' ? [] : arrivals.map(({ at }) => at);
  const key = segmentKey(digestOf(stream.life), chunk);
  await deps.objects.put(
    key,
    encodeSegment(hot.bytes, { start: row.start, ends: hot.ends, arrivals: times }),
  );
  if (await deps.store.markCold(stream, chunk)) return 'sealed';
  await deps.objects.remove(key);
  return 'removed';
}
