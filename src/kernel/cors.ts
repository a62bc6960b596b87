/**
 * CORS. Every origin, or every listed origin, may read responses, but never with credentials, so other origins cannot
 * use a browser's session cookie. Preflights always get 204: a refusal would hide the response to the real request from
 * the page. Besides the headers of the protocols, a response exposes its own, which may be those of an upstream.
 */

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

const REQUEST_HEADERS = [
  'Upstream-URL',
  'Upstream-Authorization',
  'Upstream-Method',
  'Content-Type',
  'Authorization',
  'Idempotency-Key',
  'If-None-Match',
  'Stream-Closed',
  'Stream-Expires-At',
  'Stream-Fork-Offset',
  'Stream-Fork-Sub-Offset',
  'Stream-Forked-From',
  'Stream-Seq',
  'Stream-TTL',
  'Producer-Id',
  'Producer-Epoch',
  'Producer-Seq',
  'Orphan-Policy',
];

export const EXPOSED_HEADERS = [
  'Location',
  'Upstream-Content-Type',
  'Upstream-Status',
  'Stream-Next-Offset',
  'Stream-Up-To-Date',
  'Stream-Total-Size',
  'Stream-Write-Units',
  'Stream-Closed',
  'Stream-Expires-At',
  'Stream-Cursor',
  'Stream-SSE-Data-Encoding',
  'Stream-Location',
  'Upstream-Outcome',
  'Upstream-Error',
  'Upstream-Headers',
  'Sonde-Attempt',
  'Idempotent-Replayed',
  'ETag',
  'Retry-After',
  'X-Request-Id',
];

/** Headers that every page may read, and those that no page needs. */
const NOT_LISTED: ReadonlySet<string> = new Set([
  ...EXPOSED_HEADERS.map((name) => name.toLowerCase()),
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified'],
  ...['connection', 'keep-alive', 'transfer-encoding', 'vary'],
  ...['content-security-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy'],
  ...['referrer-policy', 'x-content-type-options', 'x-frame-options', 'set-cookie', 'www-authenticate'],
]);

const ALWAYS_EXPOSED = EXPOSED_HEADERS.join(', ');

/** The value of `Access-Control-Expose-Headers` for a response with headers of these names. */
export function exposedOf(names: Iterable<string>): string {
  const own: string[] = [];
  for (const name of names) {
    const lower = name.toLowerCase();
    if (!NOT_LISTED.has(lower) && !lower.startsWith('access-control-')) own.push(lower);
  }
  return own.length === 0 ? ALWAYS_EXPOSED : [ALWAYS_EXPOSED, ...own.sort()].join(', ');
}

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': METHODS,
  'Access-Control-Allow-Headers': REQUEST_HEADERS.join(', '),
  'Access-Control-Max-Age': '7200',
};

/** With `anyHeaders`, the requested ones are allowed too: a forwarded request has the headers of the caller's SDK. */
export function preflightHeaders(requested: string | null, anyHeaders: boolean): Record<string, string> {
  if (requested === null || !anyHeaders) return PREFLIGHT_HEADERS;
  return {
    ...PREFLIGHT_HEADERS,
    'Access-Control-Allow-Headers': `${REQUEST_HEADERS.join(', ')}, ${requested}`,
    Vary: 'Access-Control-Request-Headers',
  };
}

/** The headers of a response to a request with this `Origin`, without what it exposes. */
export function createCorsHeaders(
  origins: readonly string[],
): (origin: string | null) => Record<string, string> {
  const open = { 'Access-Control-Allow-Origin': '*' };
  const listed = new Set(origins);
  if (listed.size === 0) return () => open;
  return (origin) => ({
    Vary: 'Origin',
    ...(origin !== null && listed.has(origin) && { 'Access-Control-Allow-Origin': origin }),
  });
}
