/**
 * Ids of jobs, audits and proxied streams: UUIDv7 (RFC 9562 §5.7). They sort in the order in which this process created
 * them, so that new rows are adjacent in an index. Within one millisecond, and while the clock is behind the last id,
 * the twelve bits after the time count up from a random start (§6.2, method 1).
 */
const COUNT_MAX = 0xfff;

/** The returned function takes the time in milliseconds since the epoch. Its ids sort in the order of creation. */
export function createUuidV7(): (nowMs: number) => string {
  let lastMs = Number.NEGATIVE_INFINITY;
  let prefix = '';
  let count = 0;
  const startAt = (ms: number, first: number): void => {
    const time = ms.toString(16).padStart(12, '0');
    lastMs = ms;
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    count = first;
  };
  return (nowMs) => {
    const ms = Math.floor(nowMs);
    // The platform's generator draws from a pool, which is ten times faster than requesting single bytes.
    const random = crypto.randomUUID();
    // Half of the range is left for counting.
    if (ms > lastMs) startAt(ms, Number.parseInt(random.slice(15, 18), 16) >> 1);
    else if (count === COUNT_MAX) startAt(lastMs + 1, 0);
    else count++;
    return prefix + (COUNT_MAX + 1 + count).toString(16).slice(1) + random.slice(18);
  };
}

/** The generator that the whole process shares. */
export const uuidV7 = createUuidV7();

/** Formats a digest as a UUID (RFC 9562 §5.8), for streams whose id is derived from their purpose. */
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
