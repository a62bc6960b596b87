/**
 * Headers whose value changes with every response by design. Only their presence is compared, never their content;
 * rules that need more (a lifetime, a data centre, a cache hit) parse it themselves.
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
