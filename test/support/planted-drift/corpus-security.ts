/** Planted drifts in security headers, cookies, CORS and TLS. */
import { type CorpusDrifts, changed, worse } from './corpus-case.js';
import { CSP, FINE, HSTS, safe } from './corpus-pages.js';
import { page, withHeaders } from './drift-case.js';

export const SECURITY_DRIFTS: CorpusDrifts = {
  'HSTS lost': worse('SECURITY_HEADER_MISSING', 'critical', [
    safe({ 'strict-transport-security': undefined }),
    FINE,
  ]),
  'HSTS switched off': worse('HSTS_DRIFT', 'critical', [
    safe({ 'strict-transport-security': 'max-age=0' }),
    FINE,
  ]),
  'HSTS shorter': worse('HSTS_DRIFT', 'warn', [
    safe({ 'strict-transport-security': 'max-age=3600; includeSubDomains; preload' }),
    FINE,
  ]),
  'HSTS without subdomains': worse('HSTS_DRIFT', 'warn', [
    safe({ 'strict-transport-security': 'max-age=31536000; preload' }),
    FINE,
  ]),
  'CSP lost': worse('SECURITY_HEADER_MISSING', 'critical', [
    safe({ 'content-security-policy': undefined }),
    FINE,
  ]),
  'CSP only reported': worse('SECURITY_HEADER_MISSING', 'critical', [
    safe({ 'content-security-policy': undefined, 'content-security-policy-report-only': CSP }),
    FINE,
  ]),
  'CSP with unsafe-inline': worse('CSP_WEAKENED', 'critical', [
    safe({ 'content-security-policy': `${CSP}; script-src 'self' 'unsafe-inline'` }),
    FINE,
  ]),
  'CSP with a wildcard': worse('CSP_WEAKENED', 'critical', [
    safe({ 'content-security-policy': `${CSP}; script-src *` }),
    FINE,
  ]),
  'CSP without a directive': worse('CSP_DRIFT', 'warn', [
    FINE,
    safe({ 'content-security-policy': `${CSP}; img-src 'none'` }),
  ]),
  'CSP with another source': changed('CSP_DRIFT', 'warn', [
    safe({ 'content-security-policy': `${CSP}; img-src https://a.example` }),
    safe({ 'content-security-policy': `${CSP}; img-src https://b.example` }),
  ]),
  'framing allowed': worse('SECURITY_HEADER_MISSING', 'critical', [
    { ...page(), headers: { ...page().headers, 'strict-transport-security': HSTS } },
    withHeaders({ 'strict-transport-security': HSTS, 'x-frame-options': 'DENY' }),
  ]),
  'framing less strict': worse('FRAME_POLICY_DRIFT', 'warn', [
    withHeaders({ 'x-frame-options': 'SAMEORIGIN' }),
    withHeaders({ 'x-frame-options': 'DENY' }),
  ]),
  'nosniff lost': worse('SECURITY_HEADER_DRIFT', 'warn', [
    safe({ 'x-content-type-options': undefined }),
    FINE,
  ]),
  'a referrer policy that leaks': worse('SECURITY_HEADER_DRIFT', 'warn', [
    safe({ 'referrer-policy': 'unsafe-url' }),
    FINE,
  ]),
  'COOP lost': worse('CROSS_ORIGIN_POLICY_DRIFT', 'warn', [
    FINE,
    safe({ 'cross-origin-opener-policy': 'same-origin' }),
  ]),
  'the camera for everyone': worse('PERMISSIONS_POLICY_DRIFT', 'warn', [
    safe({ 'permissions-policy': 'camera=*' }),
    safe({ 'permissions-policy': 'camera=()' }),
  ]),
  'a session cookie without HttpOnly': worse('COOKIE_FLAGS_DRIFT', 'critical', [
    safe({ 'set-cookie': 'sessionid=1; Secure; SameSite=Lax', 'cache-control': 'private' }),
    safe({ 'set-cookie': 'sessionid=2; Secure; HttpOnly; SameSite=Lax', 'cache-control': 'private' }),
  ]),
  'a session cookie without Secure': worse('COOKIE_FLAGS_DRIFT', 'critical', [
    safe({ 'set-cookie': 'sessionid=1; HttpOnly; SameSite=Lax', 'cache-control': 'private' }),
    safe({ 'set-cookie': 'sessionid=2; Secure; HttpOnly; SameSite=Lax', 'cache-control': 'private' }),
  ]),
  'a cookie with SameSite=None': worse('COOKIE_FLAGS_DRIFT', 'warn', [
    safe({ 'set-cookie': 'theme=1; Secure; HttpOnly; SameSite=None', 'cache-control': 'private' }),
    safe({ 'set-cookie': 'theme=2; Secure; HttpOnly; SameSite=Lax', 'cache-control': 'private' }),
  ]),
  'a cookie that only one side sets': changed('COOKIE_SET_DRIFT', 'warn', [
    safe({ 'set-cookie': 'beta=1; Secure; HttpOnly', 'cache-control': 'private' }),
    safe({ 'cache-control': 'private' }),
  ]),
  'an integrity attribute lost': worse('SRI_DRIFT', 'warn', [
    safe({}, page('<script src="https://cdn.example.net/app.js"></script>')),
    safe(
      {},
      page('<script src="https://cdn.example.net/app.js" integrity="sha384-abc" crossorigin></script>'),
    ),
  ]),
  'a script over http': worse('MIXED_CONTENT_DRIFT', 'critical', [
    safe({}, page('<script src="http://cdn.example.net/app.js"></script>')),
    safe({}, page('<script src="https://cdn.example.net/app.js"></script>')),
  ]),
  'a stack trace': worse('INFO_EXPOSURE_DRIFT', 'critical', [
    safe({}, page('<pre>Traceback (most recent call last):</pre>')),
    FINE,
  ]),
  'a source map': worse('INFO_EXPOSURE_DRIFT', 'critical', [safe({ sourcemap: '/app.js.map' }), FINE]),
  'a new third party': worse('THIRD_PARTY_DRIFT', 'warn', [
    safe({}, page('<script src="https://tracker.example.net/t.js"></script>')),
    FINE,
  ]),
  'CORS lost': worse('CORS_HEADER_DRIFT', 'critical', [
    FINE,
    safe({ 'access-control-allow-origin': 'https://app.example' }),
  ]),
  'CORS opened to everyone': worse('CORS_HEADER_DRIFT', 'critical', [
    safe({ 'access-control-allow-origin': '*' }),
    safe({ 'access-control-allow-origin': 'https://app.example' }),
  ]),
  'CORS with fewer headers': worse('CORS_HEADER_DRIFT', 'warn', [
    safe({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag' }),
    safe({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag, X-Id' }),
  ]),
  'a reflected origin': worse('CORS_REFLECTION', 'critical', [
    (request) =>
      request.headers.origin === undefined
        ? safe({ vary: 'Origin' })
        : safe({
            'access-control-allow-origin': request.headers.origin,
            'access-control-allow-credentials': 'true',
            vary: 'Origin',
          }),
    safe({ vary: 'Origin' }),
  ]),
  'a refused preflight': worse('CORS_PREFLIGHT_DRIFT', 'critical', [
    ({ method }) => (method === 'OPTIONS' ? { status: 403 } : FINE),
    (request) =>
      request.method === 'OPTIONS'
        ? {
            status: 204,
            headers: {
              'access-control-allow-origin': request.headers.origin ?? '*',
              'access-control-allow-methods': 'POST',
              'access-control-allow-headers': 'authorization, content-type',
            },
          }
        : FINE,
  ]),
  'an untrusted certificate': worse('TLS_CERT_INVALID', 'critical', [FINE, FINE], {
    worseSide: 'right',
    tls: 'untrusted',
    mirrored: { severity: 'info', exit: 3 },
  }),
  'an older TLS': worse('TLS_PROTOCOL_DRIFT', 'warn', [FINE, FINE], { worseSide: 'right', tls: 'old' }),
  'no HTTP/2': worse('PROTOCOL_DRIFT', 'warn', [FINE, FINE], { worseSide: 'right', tls: 'old' }),
  'another authority': changed('TLS_CERT_DRIFT', 'warn', [FINE, FINE], { worseSide: 'right', tls: 'other' }),
};
