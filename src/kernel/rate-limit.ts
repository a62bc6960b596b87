/**
 * The rate limit: one bucket per tenant, or one per client address for callers without a valid credential, so guessing
 * tokens is limited too. The response fields follow draft-ietf-httpapi-ratelimit-headers-10.
 */
import { SondeError } from '../errors.js';
import type { Principal } from './access.js';
import { TokenBuckets } from './token-buckets.js';

const BUCKETS_MAX = 10_000;

export interface RateLimiter {
  /** Counts one request of this caller. */
  take(caller: Counted): RateDecision;
}

interface Counted {
  /** Undefined without a valid credential. */
  readonly principal: Pick<Principal, 'tenant'> | undefined;
  readonly address: string;
}

export interface RateDecision {
  /** Response headers, whether or not the request was refused. */
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal?: SondeError;
}

export const NOT_LIMITED: RateDecision = { headers: {} };

export function createRateLimiter(perMinute: number, clock: () => number): RateLimiter {
  if (perMinute === 0) return { take: () => NOT_LIMITED };
  const buckets = new TokenBuckets({ perMinute, clock, bucketsMax: BUCKETS_MAX });
  const policy = `"default";q=${perMinute};w=60`;
  return {
    take(caller) {
      const { allowed, remaining, resetSeconds, retryAfterSeconds } = buckets.take(bucketKey(caller));
      const headers = { 'RateLimit-Policy': policy, RateLimit: `"default";r=${remaining};t=${resetSeconds}` };
      return allowed ? { headers } : { headers, refusal: rateLimited(perMinute, retryAfterSeconds) };
    },
  };
}

function rateLimited(perMinute: number, retryAfterSeconds: number): SondeError {
  return new SondeError(
    'RATE_LIMITED',
    `More than ${perMinute} requests per minute. Try again in ${retryAfterSeconds} s.`,
    { details: { perMinute, retryAfterSeconds } },
  );
}

function bucketKey({ principal, address }: Counted): string {
  if (principal === undefined) return `address ${network(address)}`;
  return principal.tenant === null ? 'operator' : `tenant ${principal.tenant}`;
}

/** An IPv6 caller usually owns a whole /64, so requests are counted per network instead of per address. */
function network(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.replace(/^.*:/, '');
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail?.split(':') ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
