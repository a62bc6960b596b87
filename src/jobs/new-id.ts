/**
 * UUIDs of version 7: made here, so that a repeated insert is found to be a repeat, and ordered by time, so
 * that new rows of an index land beside each other.
 */
export function newId(now: number): string {
  const ms = Math.floor(now);
  if (ms !== opening.ms) {
    const time = ms.toString(16).padStart(12, '0');
    opening = { ms, text: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  // The platform's own generator draws from a pool, which is ten times faster than asking for single bytes.
  return opening.text + crypto.randomUUID().slice(15);
}

/** Of the last id: many are made in one millisecond. */
let opening = { ms: Number.NaN, text: '' };

/**
 * A key of 64 hex digits for a job that stands for no work but its own, made of the job's id. The zeros say so:
 * such keys are left out of the index that finds the same work, and no hash begins like that.
 */
export function uniqueKey(jobId: string = crypto.randomUUID()): string {
  const id = jobId.replaceAll('-', '');
  return `0000000000000000${id}0000000000000000`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isId(text: string): boolean {
  return UUID.test(text);
}
