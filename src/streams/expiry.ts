/** When streams expire: after a time to live that every access renews, or at a fixed time that never moves. */
import { SondeError } from '../errors.js';
import type { StreamState } from './stream-store.js';

export type Lifetime = Pick<StreamState, 'ttlSeconds' | 'expiresAt'>;
type Expiring = Lifetime & Pick<StreamState, 'accessedAt'>;

const TTL = /^(0|[1-9]\d{0,9})$/;
/** RFC 3339. `Date.parse` alone accepts much more. */
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Milliseconds since the epoch at which the stream ends, or null if it never does. */
export function endOf({ ttlSeconds, expiresAt, accessedAt }: Expiring): number | null {
  return ttlSeconds === null ? expiresAt : accessedAt + ttlSeconds * 1000;
}

export function isExpired(stream: Expiring, now: number): boolean {
  const end = endOf(stream);
  return end !== null && now >= end;
}

export function readLifetime(ttl: string | null, expires: string | null): Lifetime {
  if (ttl !== null && expires !== null) {
    throw new SondeError('INVALID_REQUEST', 'Stream-TTL and Stream-Expires-At cannot be combined');
  }
  return {
    ttlSeconds: ttl === null ? null : readTtl(ttl),
    expiresAt: expires === null ? null : readExpires(expires),
  };
}

function readTtl(text: string): number {
  if (!TTL.test(text))
    throw new SondeError('INVALID_REQUEST', 'Stream-TTL must be a whole number of seconds');
  return Number(text);
}

function readExpires(text: string): number {
  const at = DATE_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new SondeError('INVALID_REQUEST', 'Stream-Expires-At must be an RFC 3339 time');
  return at;
}
