/**
 * A cold segment: the bytes of one sealed chunk as they were written, then an index with the end and checksum
 * of each record, then a footer with their own checksum. Readers verify record by record, only what
 * they hand out, so a bad bit spoils nothing before it.
 *
 *   data | (end u32, checksum u32) × records | start u32 | records u32 | checksum of all since the data u32 | magic u32
 */
import { checksum } from './checksum.js';
import type { ChunkSpan, HotBytes } from './stream-store.js';

const MAGIC = 0x31534453;
const ENTRY_BYTES = 8;
const FOOTER_BYTES = 16;

/** `ends` are positions in the chunk; `start` is the position of the first byte of `data`. */
export function encodeSegment(data: Uint8Array, ends: readonly number[], start: number): Uint8Array {
  const segment = new Uint8Array(data.length + ends.length * ENTRY_BYTES + FOOTER_BYTES);
  segment.set(data);
  const view = new DataView(segment.buffer);
  let at = data.length;
  let from = start;
  for (const end of ends) {
    view.setUint32(at, end, true);
    view.setUint32(at + 4, checksum(data.subarray(from - start, end - start)), true);
    from = end;
    at += ENTRY_BYTES;
  }
  view.setUint32(at, start, true);
  view.setUint32(at + 4, ends.length, true);
  view.setUint32(at + 8, checksum(segment.subarray(data.length, at + 8)), true);
  view.setUint32(at + 12, MAGIC, true);
  return segment;
}

/** Bytes `[lo, hi)` of the chunk, as far as their records verify; undefined where the index itself is damaged. */
export function readSegment(
  segment: Uint8Array,
  { lo, hi }: Pick<ChunkSpan, 'lo' | 'hi'>,
): HotBytes | undefined {
  const index = openIndex(segment);
  if (!index) return undefined;
  if (hi <= lo) return { bytes: new Uint8Array(0), ends: [], corruptAt: null };
  const { start, records, view, dataBytes } = index;
  const ends: number[] = [];
  let from = start;
  for (let i = 0; i < records && from < hi; i++) {
    const end = view.getUint32(dataBytes + i * ENTRY_BYTES, true);
    if (end > lo) {
      const record = segment.subarray(from - start, end - start);
      if (end <= from || checksum(record) !== view.getUint32(dataBytes + i * ENTRY_BYTES + 4, true)) {
        return { bytes: segment.subarray(lo - start, Math.max(lo, from) - start), ends, corruptAt: from };
      }
      ends.push(Math.min(end, hi));
    }
    from = end;
  }
  if (from < hi) return { bytes: segment.subarray(lo - start, from - start), ends, corruptAt: from };
  return { bytes: segment.subarray(lo - start, hi - start), ends, corruptAt: null };
}

function openIndex(segment: Uint8Array) {
  if (segment.length < FOOTER_BYTES) return undefined;
  const view = new DataView(segment.buffer, segment.byteOffset, segment.length);
  const footer = segment.length - FOOTER_BYTES;
  const records = view.getUint32(footer + 4, true);
  const dataBytes = footer - records * ENTRY_BYTES;
  if (view.getUint32(footer + 12, true) !== MAGIC || dataBytes < 0) return undefined;
  if (checksum(segment.subarray(dataBytes, footer + 8)) !== view.getUint32(footer + 8, true))
    return undefined;
  return { start: view.getUint32(footer, true), records, view, dataBytes };
}
