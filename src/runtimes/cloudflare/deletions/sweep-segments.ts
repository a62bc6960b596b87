/**
 * The sweep of the bucket: finds segments that no stream holds, whatever went wrong before. It keeps no state: the
 * hour says which part of the keys is looked at, so that all are looked at within a day. Each segment names the
 * object that put it there, and that object decides.
 */
import type { Log } from '../../../log.js';
import type { EdgeEnv } from '../edge-env.js';
import { hotBufferBy } from '../streams/hot-buffer-rpc.js';
import { received } from '../wire-faults.js';

const HOUR_MS = 3_600_000;
/** Keys begin with two hexadecimal digits. */
const PREFIXES = 256;
const PREFIXES_PER_HOUR = Math.ceil(PREFIXES / 24);
const PAGE = 500;
/** One invocation may make a bounded number of calls. */
const CALLS_MAX = 800;

export async function sweepSegments(env: EdgeEnv, at: number, log: Log): Promise<void> {
  const first = (Math.floor(at / HOUR_MS) * PREFIXES_PER_HOUR) % PREFIXES;
  let calls = 0;
  for (let i = 0; i < PREFIXES_PER_HOUR; i++) {
    const prefix = `${((first + i) % PREFIXES).toString(16).padStart(2, '0')}/`;
    for (let cursor: string | undefined; ; ) {
      const page = await env.COLD_SEGMENTS.list(withOwners(prefix, cursor));
      for (const [object, keys] of byObject(page.objects)) {
        if (calls++ >= CALLS_MAX) return log.warn('the sweep of segments was cut short', { prefix });
        await received(hotBufferBy(env, object).review(keys)).catch((error: unknown) =>
          log.warn('segments were not swept; retrying tomorrow', { object, err: error }),
        );
      }
      if (!page.truncated) break;
      cursor = page.cursor;
    }
  }
}

/** The platform's types are of a time before `include`. */
function withOwners(
  prefix: string,
  cursor?: string,
): R2ListOptions & { readonly include: readonly string[] } {
  return { prefix, limit: PAGE, include: ['customMetadata'], ...(cursor !== undefined && { cursor }) };
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
