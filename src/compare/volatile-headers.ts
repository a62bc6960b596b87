/**
 * Headers whose value is new with every response by design. Only whether a side sends them is compared, never
 * their content; rules that read more out of them (a freshness, a colo, a hit) parse it themselves.
 */
export const VOLATILE_HEADERS: ReadonlySet<string> = new Set([
  'age',
  'cf-ray',
  'content-length',
  'date',
  'etag',
  'expires',
  'last-modified',
  'ratelimit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'server-timing',
  'surrogate-key',
  'x-cache-hits',
  'x-debug-token-link',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-runtime',
  'x-served-by',
  'x-varnish',
]);
