/** The sizes of a chunk and of a write unit. Both are part of the public contract, through offsets and headers. */

/** The first append that reaches this size seals the chunk, so where a chunk ends depends only on the appends. */
export const CHUNK_BYTES = 4 * 1024 * 1024;

const WRITE_UNIT_BYTES = 4096;

/** Counts one unit for every 4 KB of an append, rounded up. */
export function writeUnitsOf(bytes: number): number {
  return Math.ceil(bytes / WRITE_UNIT_BYTES);
}
