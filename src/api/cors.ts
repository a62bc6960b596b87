/**
 * CORS. Answers are readable by every origin, or only by those listed; never with credentials, so a
 * browser's session cookie is of no use to another origin. Preflights always answer 204: a refusal there
 * would hide from the page what the real request's answer says.
 */
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-env.js';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

export const REQUEST_HEADERS = [
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
  'ETag',
  'Retry-After',
];

const PREFLIGHT_SECONDS = '7200';

export function cors(origins: readonly string[]): MiddlewareHandler<AppEnv> {
  const listed = new Set(origins);
  return async (c, next) => {
    if (c.req.method === 'OPTIONS') {
      c.res = new Response(null, { status: 204 });
      c.res.headers.set('Access-Control-Allow-Methods', METHODS);
      c.res.headers.set('Access-Control-Allow-Headers', REQUEST_HEADERS.join(', '));
      c.res.headers.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    } else {
      await next();
      c.res.headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS.join(', '));
    }
    if (listed.size === 0) {
      c.res.headers.set('Access-Control-Allow-Origin', '*');
      return;
    }
    c.res.headers.append('Vary', 'Origin');
    const origin = c.req.header('origin');
    if (origin !== undefined && listed.has(origin)) c.res.headers.set('Access-Control-Allow-Origin', origin);
  };
}
