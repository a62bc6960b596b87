/** Decompresses gzip up to a limit. */
import { concatBytes } from './body.js';

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** `cut` is set if the limit was reached. Returns null if the bytes are not valid gzip. */
export async function gunzip(
  bytes: Uint8Array,
  bytesMax: number,
): Promise<{ bytes: Uint8Array; cut: boolean } | null> {
  const packed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.push(next.value.subarray(0, bytesMax - length));
      length += next.value.length;
      if (length <= bytesMax) continue;
      await reader.cancel();
      return { bytes: concatBytes(pieces), cut: true };
    }
    return { bytes: concatBytes(pieces), cut: false };
  } catch {
    return null;
  }
}
