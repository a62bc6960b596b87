/** What a chunk and a write unit are; both are part of the public contract of offsets and headers. */

/** A chunk is sealed by the first append that brings it to this size, so its end depends on the appends alone. */
export const CHUNK_BYTES = 4 * 1024 * 1024;

const WRITE_UNIT_BYTES = 4096;

/** One for each started 4 KB of an append. */
export function writeUnitsOf(bytes: number): number {
  return Math.ceil(bytes / WRITE_UNIT_BYTES);
}
