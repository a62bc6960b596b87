/**
 * What a response's cache fields mean together (RFC 9111): who may store it, and for how long it is fresh in a
 * shared cache. Dates are read against the response's own Date, never against a clock.
 */
import { type Directives, seconds } from './directives.js';

export interface CacheFields {
  readonly cacheControl: Directives;
  readonly expires: string | undefined;
  readonly date: string | undefined;
}

export type CacheScope = 'none' | 'private' | 'shared';

export interface CachePolicy {
  readonly scope: CacheScope;
  /** Seconds of freshness in a shared cache; undefined if not specified (a cache may guess). */
  readonly sharedSeconds: number | undefined;
}

export function cachePolicy({ cacheControl, expires, date }: CacheFields): CachePolicy {
  const scope = cacheControl.has('no-store') ? 'none' : cacheControl.has('private') ? 'private' : 'shared';
  if (cacheControl.has('no-store') || cacheControl.has('no-cache')) return { scope, sharedSeconds: 0 };
  const stated = seconds(cacheControl, 's-maxage') ?? seconds(cacheControl, 'max-age');
  return { scope, sharedSeconds: stated ?? expiresIn(expires, date) };
}

function expiresIn(expires: string | undefined, date: string | undefined): number | undefined {
  if (expires === undefined) return undefined;
  const until = Date.parse(expires);
  // RFC 9111 §5.3: an invalid date, in particular "0", means already expired.
  if (Number.isNaN(until) || !/[A-Za-z]/.test(expires)) return 0;
  const from = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(from) ? undefined : Math.max(0, Math.round((until - from) / 1000));
}

/** Whether a shared cache is likely to store this: marked as fresh or public, and neither private nor no-store. */
export function isSharedCacheable(fields: CacheFields): boolean {
  const { scope, sharedSeconds } = cachePolicy(fields);
  if (scope !== 'shared') return false;
  return sharedSeconds === undefined ? fields.cacheControl.has('public') : sharedSeconds > 0;
}
