/**
 * Sweeps the bucket for segments that no stream refers to, whatever the reason. It has no state: the hour determines
 * which keys are checked, so that all keys are checked within a day. Each day it starts at another prefix of the hour
 * and at another place in it, so that a sweep that is cut short misses other keys the next day. Each segment names the
 * object that wrote it, and that object decides whether to delete it.
 */
import type { Log } from '../../../log.js';
import type { EdgeEnv } from '../edge-env.js';
import { bucketOf } from '../placement.js';
import { hotBufferBy } from '../streams/hot-buffer-rpc.js';
import { unwrap } from '../wire-faults.js';

const HOUR_MS = 3_600_000;
/** Keys begin with two hexadecimal digits. */
const PREFIXES = 256;
const PREFIXES_PER_HOUR = Math.ceil(PREFIXES / 24);
const PAGE = 500;
/** One invocation may make 10,000 calls; lists count too. */
const CALLS_MAX = 8_000;
const HEX = 16;

export async function sweepSegments(env: EdgeEnv, at: number, log: Log): Promise<void> {
  let calls = 0;
  for (const span of spansAt(at)) {
    for (let cursor: string | undefined; ; ) {
      const page = await bucketOf(env).list(withOwners(span, cursor));
      const keys = page.objects.filter(({ key }) => span.until === undefined || key <= span.until);
      for (const [object, owned] of byObject(keys)) {
        if (calls++ >= CALLS_MAX)
          return log.warn('the sweep of segments was cut short', { prefix: span.prefix });
        await unwrap(hotBufferBy(env, object).review(owned)).catch((error: unknown) =>
          log.warn('segments were not swept; retrying tomorrow', { object, err: error }),
        );
      }
      if (!page.truncated || keys.length < page.objects.length) break;
      cursor = page.cursor;
    }
  }
}

/** Keys of one prefix, after one key and up to another. */
export interface KeySpan {
  readonly prefix: string;
  readonly startAfter?: string;
  readonly until?: string;
}

/** The key spans of this hour, in order: each prefix from a digit on, and finally the keys before that digit. */
export function spansAt(at: number): readonly KeySpan[] {
  const hour = Math.floor(at / HOUR_MS);
  const day = Math.floor(hour / 24);
  const first = (hour * PREFIXES_PER_HOUR) % PREFIXES;
  const prefixes = Array.from({ length: PREFIXES_PER_HOUR }, (_each, i) => {
    const number = (first + ((i + day) % PREFIXES_PER_HOUR)) % PREFIXES;
    return number.toString(16).padStart(2, '0');
  });
  const digit = (Math.floor(day / PREFIXES_PER_HOUR) % HEX).toString(16);
  const split = (prefix: string) => `${prefix}/${prefix}${digit}`;
  if (digit === '0') return prefixes.map((prefix) => ({ prefix: `${prefix}/` }));
  return [
    ...prefixes.map((prefix) => ({ prefix: `${prefix}/`, startAfter: split(prefix) })),
    ...prefixes.map((prefix) => ({ prefix: `${prefix}/`, until: split(prefix) })),
  ];
}

/** The platform's types do not have `include` yet. */
function withOwners(
  { prefix, startAfter }: KeySpan,
  cursor?: string,
): R2ListOptions & { readonly include: readonly string[] } {
  const from = cursor === undefined ? startAfter !== undefined && { startAfter } : { cursor };
  return { prefix, limit: PAGE, include: ['customMetadata'], ...from };
}

function byObject(found: readonly R2Object[]): Map<string, string[]> {
  const owners = new Map<string, string[]>();
  for (const { key, customMetadata } of found) {
    const owner = customMetadata?.['object'];
    if (owner === undefined) continue;
    owners.set(owner, [...(owners.get(owner) ?? []), key]);
  }
  return owners;
}
