/**
 * Ids of jobs, audits and proxied streams: UUIDv7 (RFC 9562 §5.7). They sort by the order in which this process made
 * them, so that new rows of an index land beside each other: within one millisecond, and while the clock stands behind
 * the last id, the twelve bits after the time count up from a random start (§6.2, method 1).
 */
const COUNT_MAX = 0xfff;

/** Takes the time in milliseconds since the epoch. All that one maker has made sort in their order. */
export function createUuidV7(): (nowMs: number) => string {
  let lastMs = Number.NEGATIVE_INFINITY;
  let opening = '';
  let count = 0;
  const open = (ms: number, first: number): void => {
    const time = ms.toString(16).padStart(12, '0');
    lastMs = ms;
    opening = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    count = first;
  };
  return (nowMs) => {
    const ms = Math.floor(nowMs);
    // The platform's own generator draws from a pool, which is ten times faster than asking for single bytes.
    const random = crypto.randomUUID();
    // Half of the room is left for counting.
    if (ms > lastMs) open(ms, Number.parseInt(random.slice(15, 18), 16) >> 1);
    else if (count === COUNT_MAX) open(lastMs + 1, 0);
    else count++;
    return opening + (COUNT_MAX + 1 + count).toString(16).slice(1) + random.slice(18);
  };
}

/** The process's own. */
export const uuidV7 = createUuidV7();

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
