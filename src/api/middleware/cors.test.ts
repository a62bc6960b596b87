import { describe, expect, test } from 'vitest';
import { appForTests } from '../../../test/support/app-for-tests.js';

const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization',
};
const ORIGINS = [undefined, 'https://listed.test', 'https://other.test', 'null'];
const REQUESTS: readonly [string, RequestInit, number][] = [
  ['/api/health', {}, 200],
  ['/nothing', {}, 404],
  ['/metrics', {}, 401],
  ['/api/session', { method: 'OPTIONS', headers: PREFLIGHT }, 204],
  ['/nothing', { method: 'OPTIONS', headers: PREFLIGHT }, 204],
  ['/v1/stream/a/b', { method: 'OPTIONS' }, 204],
];

const ALLOWED =
  'Upstream-URL, Upstream-Authorization, Upstream-Method, Content-Type, Authorization, Idempotency-Key, If-None-Match, ' +
  'Stream-Closed, Stream-Expires-At, Stream-Fork-Offset, Stream-Fork-Sub-Offset, Stream-Forked-From, Stream-Seq, ' +
  'Stream-TTL, Producer-Id, Producer-Epoch, Producer-Seq, Orphan-Policy';
const EXPOSED =
  'Location, Upstream-Content-Type, Upstream-Status, Stream-Next-Offset, Stream-Up-To-Date, Stream-Total-Size, ' +
  'Stream-Write-Units, Stream-Closed, Stream-Expires-At, Stream-Cursor, Stream-SSE-Data-Encoding, Stream-Location, ' +
  'Upstream-Outcome, Upstream-Error, Upstream-Headers, Sonde-Attempt, Idempotent-Replayed, ETag, Retry-After, X-Request-Id';

const cases = [[], ['https://listed.test']].flatMap((corsOrigins) =>
  ORIGINS.flatMap((origin) =>
    REQUESTS.map(([path, init, status]) => ({ corsOrigins, origin, path, init, status })),
  ),
);

describe('CORS', () => {
  test.each(cases)('listed $corsOrigins, origin $origin, $init.method $path', async (row) => {
    const { app } = appForTests({ corsOrigins: row.corsOrigins });
    const headers = new Headers(row.init.headers);
    if (row.origin !== undefined) headers.set('origin', row.origin);
    const response = await app.request(row.path, { ...row.init, headers });
    const headerOf = (name: string) => response.headers.get(name);

    expect(response.status).toBe(row.status);
    expect(headerOf('access-control-allow-credentials')).toBeNull();
    if (row.corsOrigins.length === 0) {
      expect(headerOf('access-control-allow-origin')).toBe('*');
    } else {
      expect(headerOf('access-control-allow-origin')).toBe(
        row.origin === 'https://listed.test' ? row.origin : null,
      );
      expect(headerOf('vary')).toContain('Origin');
    }
    const preflight = row.init.method === 'OPTIONS';
    expect(headerOf('access-control-allow-headers')).toBe(preflight ? ALLOWED : null);
    expect(headerOf('access-control-expose-headers')).toBe(preflight ? null : EXPOSED);
  });
});
