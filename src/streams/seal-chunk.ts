/**
 * Moves a full chunk from hot rows into one immutable cold segment. Each step may be repeated after a crash:
 * the segment is written again with the same bytes, and marking a chunk cold twice changes nothing. The hot
 * rows go only once the segment is durable, and only of the stream that was read: one of the same name may have taken
 * its place meanwhile.
 */
import { segmentKey } from './object-store.js';
import { digestOf } from './read-spans.js';
import { encodeSegment } from './segment.js';
import type { StreamParts } from './stream-parts.js';

export async function sealChunk(
  parts: Pick<StreamParts, 'store' | 'objects' | 'onCorrupt'>,
  id: string,
  chunk: number,
): Promise<'sealed' | 'gone' | 'corrupt'> {
  const state = await parts.store.get(id);
  const [row] = await parts.store.chunks(id, chunk, chunk);
  if (!state || !row || row.cold) return 'gone';
  const hot = await parts.store.readHot(id, { chunk, lo: row.start, hi: row.end });
  // Damaged rows stay where they are: a segment would give them a fresh checksum.
  if (hot.corruptAt !== null) {
    await parts.onCorrupt(id, { chunk, position: hot.corruptAt });
    return 'corrupt';
  }
  const key = segmentKey(digestOf(id), chunk);
  await parts.objects.put(key, encodeSegment(hot.bytes, hot.ends, row.start));
  if (await parts.store.markCold(id, chunk, state.hash)) return 'sealed';
  await parts.objects.remove(key);
  return 'gone';
}
