/**
 * The rate limit: one bucket per tenant, or one per client address for callers without a valid credential,
 * so guessing tokens is limited too. Health and readiness are exempt: a probe must not fail because of
 * load. Fields as draft-ietf-httpapi-ratelimit-headers-10 writes them.
 */
import type { MiddlewareHandler } from 'hono';
import { SondeError } from '../../errors.js';
import type { AppContext, AppEnv } from '../app-env.js';
import { type BucketState, TokenBuckets } from './token-buckets.js';

const BUCKETS_MAX = 10_000;
const EXEMPT = new Set(['/api/health', '/api/ready']);

export function rateLimit(perMinute: number, clock: () => number): MiddlewareHandler<AppEnv> {
  if (perMinute === 0) return (_c, next) => next();
  const buckets = new TokenBuckets({ perMinute, clock, bucketsMax: BUCKETS_MAX });
  return async (c, next) => {
    if (EXEMPT.has(c.req.path) || isDataPath(c)) return next();
    const state = buckets.take(bucketKey(c));
    if (!state.allowed) {
      setLimitHeaders(c, perMinute, state);
      throw limited(perMinute, state.retryAfterSeconds);
    }
    await next();
    setLimitHeaders(c, perMinute, state);
  };
}

/**
 * Appending and reading are the work itself; a known caller's rate is bounded by the disk, not by a count. What makes
 * this server send a request counts: `POST /v1/proxy`, and everything under `/r/`.
 */
function isDataPath(c: AppContext): boolean {
  const { method, path } = c.req;
  const creates = method === 'POST' && (path === '/v1/proxy' || path === '/v1/proxy/');
  return c.get('principal') !== undefined && path.startsWith('/v1/') && !creates;
}

function setLimitHeaders(c: AppContext, perMinute: number, state: BucketState): void {
  c.header('RateLimit-Policy', `"default";q=${perMinute};w=60`);
  c.header('RateLimit', `"default";r=${state.remaining};t=${state.resetSeconds}`);
}

function limited(perMinute: number, retryAfterSeconds: number): SondeError {
  return new SondeError(
    'RATE_LIMITED',
    `More than ${perMinute} requests per minute. Try again in ${retryAfterSeconds} s.`,
    { details: { perMinute, retryAfterSeconds } },
  );
}

function bucketKey(c: AppContext): string {
  const principal = c.get('principal');
  if (principal !== undefined) return principal.tenant === null ? 'operator' : `tenant ${principal.tenant}`;
  return `address ${network(c.get('publicOrigin').clientAddress)}`;
}

/** An IPv6 caller owns a whole /64, so the network counts, not the address. */
function network(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address.replace(/^.*:/, '');
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
