/**
 * Ids of proxied streams: UUIDv7 (RFC 9562 §5.7), so that they sort by the time they were made. Within one
 * millisecond the twelve bits after the time count up from a random start (§6.2, method 1).
 */
const COUNTER_MAX = 0xfff;

let lastMs = 0;
let counter = 0;

export function uuidV7(nowMs: number): string {
  const random = crypto.getRandomValues(new Uint8Array(10));
  if (nowMs > lastMs) {
    lastMs = nowMs;
    // Half of the room is left for counting.
    counter = ((random[0] ?? 0) << 3) | ((random[1] ?? 0) >> 5);
  } else if (++counter > COUNTER_MAX) {
    lastMs += 1;
    counter = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const count = counter.toString(16).padStart(3, '0');
  const variant = (((random[2] ?? 0) & 0x3f) | 0x80).toString(16);
  const rest = Array.from(random.subarray(3), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${rest.slice(0, 2)}-${rest.slice(2)}`;
}

/** A digest as a UUID (RFC 9562 §5.8), for streams whose name follows from what they were made for. */
export function uuidOf(hexDigest: string): string {
  const variant = ((Number.parseInt(hexDigest.slice(15, 16), 16) & 0x3) | 0x8).toString(16);
  return [
    hexDigest.slice(0, 8),
    hexDigest.slice(8, 12),
    `8${hexDigest.slice(12, 15)}`,
    `${variant}${hexDigest.slice(16, 19)}`,
    hexDigest.slice(19, 31),
  ].join('-');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
