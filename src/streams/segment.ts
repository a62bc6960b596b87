/**
 * A cold segment: the bytes of one sealed chunk, then an index with the end and checksum of each record, then a footer
 * with the checksum of the index. A read verifies each record that it returns, so a bad bit does not affect earlier
 * records.
 *
 *   data | (end u32, checksum u32, arrival f64) × records
 *     | start u32 | records u32 | checksum of everything after the data u32 | magic u32
 *
 * An arrival is in milliseconds since the epoch, or NaN if it is not known. Segments of the first format have none.
 */
import { checksum } from './checksum.js';
import type { Arrival, ChunkSpan, HotBytes } from './stream-store.js';

const MAGIC = 0x32534453;
const ENTRY_BYTES = 16;
/** The first format, without arrivals. */
const UNTIMED = { magic: 0x31534453, entryBytes: 8 };
const FOOTER_BYTES = 16;

export interface SegmentRecords {
  /** The position of the first byte in the chunk. */
  readonly start: number;
  /** Positions in the chunk. */
  readonly ends: readonly number[];
  /** One per record; null if it is not known. */
  readonly arrivals: readonly (number | null)[];
}

export function encodeSegment(data: Uint8Array, { start, ends, arrivals }: SegmentRecords): Uint8Array {
  const segment = new Uint8Array(data.length + ends.length * ENTRY_BYTES + FOOTER_BYTES);
  segment.set(data);
  const view = new DataView(segment.buffer);
  let at = data.length;
  let from = start;
  for (const [index, end] of ends.entries()) {
    view.setUint32(at, end, true);
    view.setUint32(at + 4, checksum(data.subarray(from - start, end - start)), true);
    view.setFloat64(at + 8, arrivals[index] ?? Number.NaN, true);
    from = end;
    at += ENTRY_BYTES;
  }
  view.setUint32(at, start, true);
  view.setUint32(at + 4, ends.length, true);
  view.setUint32(at + 8, checksum(segment.subarray(data.length, at + 8)), true);
  view.setUint32(at + 12, MAGIC, true);
  return segment;
}

/** Bytes `[lo, hi)` of the chunk, up to the first damaged record; undefined if the index itself is damaged. */
export function readSegment(
  segment: Uint8Array,
  { lo, hi }: Pick<ChunkSpan, 'lo' | 'hi'>,
): HotBytes | undefined {
  const index = openIndex(segment);
  if (!index) return undefined;
  if (hi <= lo) return { bytes: new Uint8Array(0), ends: [], corruptAt: null };
  const { start, records, view, dataBytes, entryBytes } = index;
  const ends: number[] = [];
  let from = start;
  for (let i = 0; i < records && from < hi; i++) {
    const end = view.getUint32(dataBytes + i * entryBytes, true);
    if (end > lo) {
      const record = segment.subarray(from - start, end - start);
      if (end <= from || checksum(record) !== view.getUint32(dataBytes + i * entryBytes + 4, true)) {
        return { bytes: segment.subarray(lo - start, Math.max(lo, from) - start), ends, corruptAt: from };
      }
      ends.push(Math.min(end, hi));
    }
    from = end;
  }
  if (from < hi) return { bytes: segment.subarray(lo - start, from - start), ends, corruptAt: from };
  return { bytes: segment.subarray(lo - start, hi - start), ends, corruptAt: null };
}

/** When the records of the span arrived, clipped to the span; undefined if the index itself is damaged. */
export function readArrivals(
  segment: Uint8Array,
  { lo, hi }: Pick<ChunkSpan, 'lo' | 'hi'>,
): readonly Arrival[] | undefined {
  const index = openIndex(segment);
  if (!index) return undefined;
  const { start, records, view, dataBytes, entryBytes } = index;
  const found: Arrival[] = [];
  let from = start;
  for (let i = 0; i < records && from < hi; i++) {
    const entry = dataBytes + i * entryBytes;
    const end = view.getUint32(entry, true);
    const at = entryBytes === ENTRY_BYTES ? view.getFloat64(entry + 8, true) : Number.NaN;
    if (end > lo)
      found.push({ start: Math.max(from, lo), end: Math.min(end, hi), at: Number.isNaN(at) ? null : at });
    from = end;
  }
  return found;
}

function openIndex(segment: Uint8Array) {
  if (segment.length < FOOTER_BYTES) return undefined;
  const view = new DataView(segment.buffer, segment.byteOffset, segment.length);
  const footer = segment.length - FOOTER_BYTES;
  const records = view.getUint32(footer + 4, true);
  const magic = view.getUint32(footer + 12, true);
  if (magic !== MAGIC && magic !== UNTIMED.magic) return undefined;
  const entryBytes = magic === MAGIC ? ENTRY_BYTES : UNTIMED.entryBytes;
  const dataBytes = footer - records * entryBytes;
  if (dataBytes < 0) return undefined;
  if (checksum(segment.subarray(dataBytes, footer + 8)) !== view.getUint32(footer + 8, true))
    return undefined;
  return { start: view.getUint32(footer, true), records, view, dataBytes, entryBytes };
}
