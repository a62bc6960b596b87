/**
 * Moves a full chunk from hot rows into one immutable cold segment. Each step may be repeated after a crash:
 * the segment is written again with the same bytes, and marking a chunk cold twice changes nothing. The hot
 * rows go only once the segment is durable.
 */
import { segmentKey } from './object-store.js';
import { digestOf } from './read-spans.js';
import { encodeSegment } from './segment.js';
import type { StreamParts } from './stream-parts.js';
import type { UnsealedChunk } from './stream-store.js';

export async function sealChunk(
  parts: Pick<StreamParts, 'store' | 'objects' | 'onCorrupt'>,
  { stream, chunk }: UnsealedChunk,
): Promise<'sealed' | 'removed' | 'corrupt'> {
  const [row] = await parts.store.chunks(stream, chunk, chunk);
  if (!row) return 'removed';
  const hot = await parts.store.readHot(stream, { chunk, lo: row.start, hi: row.end });
  if (hot === 'cold') return 'sealed';
  if (hot === 'removed') return 'removed';
  // Damaged rows stay where they are: a segment would give them a fresh checksum.
  if (hot.corruptAt !== null) {
    await parts.onCorrupt(stream, { chunk, position: hot.corruptAt });
    return 'corrupt';
  }
  const key = segmentKey(digestOf(stream.life), chunk);
  await parts.objects.put(key, encodeSegment(hot.bytes, hot.ends, row.start));
  if (await parts.store.markCold(stream, chunk)) return 'sealed';
  await parts.objects.remove(key);
  return 'removed';
}
