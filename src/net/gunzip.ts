/** Decompresses gzip up to a limit. */
import { readBody } from './body.js';

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
  const body = {
    read: async () => (await reader.read()).value,
    cancel: () => void reader.cancel().catch(() => undefined),
  };
  try {
    const unpacked = await readBody(body, bytesMax);
    return { bytes: unpacked.bytes, cut: unpacked.truncated };
  } catch {
    return null;
  }
}
