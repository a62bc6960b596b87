/** Examples for the rules about reliability, routing, login, CORS, timing, platform and TLS. */
import type { Sketch } from '../make-envelope.js';
import type { RuleExamples } from './rule-example.js';

const L = 'https://staging.example.com';
const R = 'https://www.example.com';
const hop = (fromUrl: string, toUrl: string, status = 301) => ({ fromUrl, toUrl, status });
const dns = {
  code: 'dns_error' as const,
  message: 'no such host',
  details: { phase: 'dns', reason: 'ENOTFOUND' },
};
const certificate = (more: object = {}) => ({
  subject: 'CN=example',
  issuer: "C=US\nO=Let's Encrypt\nCN=R11",
  altNames: [] as string[],
  validFrom: '2026-01-01T00:00:00Z',
  validTo: '2026-12-01T00:00:00Z',
  ...more,
});
const times = (values: readonly number[]): Sketch[] => values.map((durationMs) => ({ durationMs }));
const corsResponse = (origin: string, relation: 'own' | 'foreign', headers: Record<string, string[]>) => ({
  origin,
  relation,
  status: 200,
  headers,
});
const preflight = (status: number, headers: Record<string, string[]>, origin = L) => ({
  preflight: { status, headers, origin, method: 'PUT', requestHeaders: 'content-type' },
});

export const TRAFFIC_EXAMPLES: RuleExamples = {
  PROBE_FAILURE: {
    severity: 'critical',
    undirected: true,
    left: {},
    right: { error: dns },
    silent: [{ status: 500 }, {}],
  },
  PROBE_FLAKY: {
    severity: 'warn',
    undirected: true,
    left: {},
    right: {},
    moreLeft: [{}, {}],
    moreRight: [{ status: 503 }, {}],
    silent: [{ status: 201 }, { status: 200 }],
  },
  PROBE_BLOCKED: {
    severity: 'warn',
    undirected: true,
    left: {},
    right: { status: 403, body: { markers: [{ type: 'challenge', name: 'cloudflare' }] } },
    silent: [{}, { status: 403 }],
  },
  RUNNER_CONTEXT_DRIFT: {
    severity: 'info',
    left: { more: { address: { ip: '2001:db8::1', family: 6 } } },
    right: {},
    silent: [{ more: { address: { ip: '203.0.113.9', family: 4 } } }, {}],
  },
  STATUS_MISMATCH: {
    severity: 'critical',
    left: {},
    right: { status: 500 },
    silent: [{ status: 404 }, { status: 404 }],
  },
  FINAL_URL_MISMATCH: {
    severity: 'critical',
    undirected: true,
    left: {},
    right: { redirects: [hop(`${R}/page`, 'https://parked.example.net/page')] },
    silent: [{ url: `${L}/a?x=1` }, { url: `${R}/a?x=1` }],
  },
  REDIRECT_CHAIN_CHANGED: {
    severity: 'critical',
    undirected: true,
    left: { redirects: [hop(`${L}/page`, `${L}/en/page`)] },
    right: { redirects: [hop(`${R}/page`, `${R}/login`)] },
    silent: [{ redirects: [hop(`${L}/page`, `${L}/en`)] }, { redirects: [hop(`${R}/page`, `${R}/en`)] }],
  },
  REDIRECT_STATUS_DRIFT: {
    severity: 'warn',
    undirected: true,
    left: { redirects: [hop(`${L}/page`, `${L}/en`, 302)] },
    right: { redirects: [hop(`${R}/page`, `${R}/en`, 301)] },
    silent: [
      { redirects: [hop(`${L}/page`, `${L}/en`, 308)] },
      { redirects: [hop(`${R}/page`, `${R}/en`, 308)] },
    ],
  },
  REDIRECT_LOOP: {
    severity: 'critical',
    left: {},
    right: {
      error: { code: 'redirect_loop', message: 'a loop' },
      redirects: [hop(`${R}/page`, `${R}/page`)],
    },
    silent: [{}, { error: dns }],
  },
  HTTPS_ENFORCEMENT_DRIFT: {
    severity: 'critical',
    left: {
      exchanges: {
        httpVariant: {
          url: 'http://staging.example.com/page',
          status: 301,
          headers: { location: [`${L}/page`] },
        },
      },
    },
    right: { exchanges: { httpVariant: { url: 'http://www.example.com/page', status: 200 } } },
    silent: [
      {
        exchanges: {
          httpVariant: {
            url: 'http://staging.example.com/page',
            status: 308,
            headers: { location: [`${L}/page`] },
          },
        },
      },
      {
        exchanges: {
          httpVariant: {
            url: 'http://www.example.com/page',
            status: 301,
            headers: { location: [`${R}/page`] },
          },
        },
      },
    ],
  },
  CROSS_ENV_LEAK: {
    severity: 'critical',
    left: { headers: { 'access-control-allow-origin': L } },
    right: { headers: { 'access-control-allow-origin': L } },
    silent: [{ headers: { link: `<${L}/a.css>` } }, { headers: { link: `<${R}/a.css>` } }],
  },
  INDEXABILITY_DRIFT: {
    severity: 'critical',
    left: {},
    right: { headers: { 'x-robots-tag': 'noindex, nofollow' } },
    silent: [{ headers: { 'x-robots-tag': 'noindex' } }, { html: { robots: ['NOINDEX'] } }],
  },
  METHOD_SUPPORT_DRIFT: {
    severity: 'warn',
    left: {
      exchanges: { head: { status: 200 }, options: { status: 204, headers: { allow: ['GET, HEAD'] } } },
    },
    right: {
      exchanges: { head: { status: 405 }, options: { status: 204, headers: { allow: ['HEAD', 'GET'] } } },
    },
    silent: [
      { exchanges: { options: { status: 200, headers: { allow: ['GET,HEAD'] } } } },
      { exchanges: { options: { status: 204, headers: { allow: ['HEAD, GET'] } } } },
    ],
  },
  AUTH_CHALLENGE_PRESENT: {
    severity: 'critical',
    undirected: true,
    left: { status: 401, headers: { 'www-authenticate': 'Basic realm="staging"' } },
    right: {},
    silent: [
      { status: 401, headers: { 'www-authenticate': 'Digest realm="a", nonce="1", qop="auth"' } },
      { status: 401, headers: { 'www-authenticate': 'digest qop="auth", realm=a, nonce="2"' } },
    ],
  },
  AUTH_GATE_DRIFT: {
    severity: 'critical',
    undirected: true,
    left: { redirects: [hop(`${L}/page`, `${L}/login?next=/page`, 302)] },
    right: {},
    silent: [{ status: 403 }, { status: 401 }],
  },
  AUTH_SCHEME_DRIFT: {
    severity: 'warn',
    left: { status: 401, headers: { 'www-authenticate': 'Bearer realm="api"' } },
    right: { status: 401, headers: { 'www-authenticate': 'Basic realm="api"' } },
    silent: [
      { status: 401, headers: { 'www-authenticate': 'Basic realm="a"' } },
      { status: 401, headers: { 'www-authenticate': 'Basic realm="b"' } },
    ],
  },
  CORS_HEADER_DRIFT: {
    severity: 'critical',
    left: { headers: { 'access-control-allow-origin': L } },
    right: {},
    silent: [
      { headers: { 'access-control-allow-origin': L, 'access-control-allow-headers': 'X-A, x-b' } },
      { headers: { 'access-control-allow-origin': R, 'access-control-allow-headers': 'X-B,X-A' } },
    ],
  },
  CORS_PREFLIGHT_DRIFT: {
    severity: 'critical',
    left: {
      exchanges: preflight(204, {
        'access-control-allow-origin': [L],
        'access-control-allow-methods': ['PUT'],
        'access-control-allow-headers': ['*'],
      }),
    },
    right: { exchanges: preflight(403, {}, R) },
    silent: [{ exchanges: preflight(403, {}) }, { exchanges: preflight(405, {}, R) }],
  },
  CORS_REFLECTION: {
    severity: 'critical',
    left: { exchanges: { origins: [corsResponse('https://foreign.invalid', 'foreign', {})] } },
    right: {
      exchanges: {
        origins: [
          corsResponse('https://foreign.invalid', 'foreign', {
            'access-control-allow-origin': ['https://foreign.invalid'],
            'access-control-allow-credentials': ['true'],
          }),
        ],
      },
    },
    silent: [
      { exchanges: { origins: [corsResponse('https://foreign.invalid', 'foreign', {})] } },
      {
        exchanges: {
          origins: [
            corsResponse('https://foreign.invalid', 'foreign', { 'access-control-allow-origin': ['*'] }),
          ],
        },
      },
    ],
  },
  CORS_VARY_MISSING: {
    severity: 'warn',
    left: {
      exchanges: {
        origins: [
          corsResponse(L, 'own', { 'access-control-allow-origin': [L], vary: ['Origin'] }),
          corsResponse('https://foreign.invalid', 'foreign', { vary: ['Origin'] }),
        ],
      },
    },
    right: {
      exchanges: {
        origins: [
          corsResponse(R, 'own', { 'access-control-allow-origin': [R] }),
          corsResponse('https://foreign.invalid', 'foreign', {}),
        ],
      },
    },
    silent: [
      {
        exchanges: {
          origins: [corsResponse(L, 'own', {}), corsResponse('https://foreign.invalid', 'foreign', {})],
        },
      },
      {
        exchanges: {
          origins: [
            corsResponse(R, 'own', { 'access-control-allow-origin': ['*'] }),
            corsResponse('https://foreign.invalid', 'foreign', { 'access-control-allow-origin': ['*'] }),
          ],
        },
      },
    ],
  },
  TIMING_DRIFT: {
    severity: 'critical',
    left: { durationMs: 100 },
    right: { durationMs: 300 },
    moreLeft: times([104, 98, 101, 110]),
    moreRight: times([310, 290, 305, 320]),
    silent: [{ durationMs: 100 }, { durationMs: 140 }],
  },
  TIMING_PHASE_DRIFT: {
    severity: 'info',
    left: { more: { phases: { dns: 2, ttfb: 40 } } },
    right: { more: { phases: { dns: 2, ttfb: 200 } } },
    silent: [{ more: { phases: { ttfb: 40 } } }, { more: { phases: { ttfb: 60 } } }],
  },
  TIMING_VARIANCE_DRIFT: {
    severity: 'info',
    left: { durationMs: 100 },
    right: { durationMs: 100 },
    moreLeft: times([100, 101, 102, 103]),
    moreRight: times([99, 100, 101, 900]),
    silent: [{ durationMs: 100 }, { durationMs: 900 }],
  },
  CF_CONTEXT_DRIFT: {
    severity: 'info',
    left: { headers: { 'cf-ray': '8f1b2c3d4e5f6a7b-FRA' } },
    right: { headers: { 'cf-ray': '9a1b2c3d4e5f6a7b-AMS' } },
    silent: [
      {
        headers: { 'cf-ray': '8f1b2c3d4e5f6a7b-FRA' },
        more: { cf: { colo: 'FRA', country: 'DE', asn: 64500 } },
      },
      {
        headers: { 'cf-ray': '9a1b2c3d4e5f6a7c-FRA' },
        more: { cf: { colo: 'FRA', country: 'DE', asn: 64500 } },
      },
    ],
  },
  PROTOCOL_DRIFT: {
    severity: 'warn',
    left: { exchanges: { tls: { alpn: 'h2' } } },
    right: { exchanges: { tls: { alpn: 'http/1.1' } } },
    silent: [{ exchanges: { tls: { alpn: 'h2' } } }, { exchanges: { tls: { alpn: 'h2' } } }],
  },
  EDGE_PATH_DRIFT: {
    severity: 'warn',
    undirected: true,
    left: {},
    right: { otherNames: ['x-amz-cf-id'], headers: { via: '1.1 abc.cloudfront.net (CloudFront)' } },
    silent: [{ headers: { via: '1.1 a.cloudfront.net' } }, { headers: { via: '1.1 b.cloudfront.net' } }],
  },
  SERVER_STACK_DRIFT: {
    severity: 'info',
    left: { headers: { server: 'Apache' } },
    right: { headers: { server: 'nginx' } },
    silent: [
      { headers: { server: 'nginx', 'x-version': '1' } },
      { headers: { server: 'nginx', 'x-version': '2' } },
    ],
  },
  RATE_LIMIT_DRIFT: {
    severity: 'warn',
    left: { headers: { 'x-ratelimit-limit': '1000' } },
    right: { headers: { 'x-ratelimit-limit': '60' } },
    silent: [
      { headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' } },
      { headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '12' } },
    ],
  },
  DNS_DRIFT: {
    severity: 'warn',
    candidate: 'left',
    left: { exchanges: { dns: { a: ['203.0.113.1'], aaaa: [] } } },
    right: { exchanges: { dns: { a: ['203.0.113.2'], aaaa: ['2001:db8::2'] } } },
    silent: [
      { exchanges: { dns: { a: ['203.0.113.1'], aaaa: [], cname: ['a.cdn.net'] } } },
      { exchanges: { dns: { a: ['203.0.113.2'], aaaa: [], cname: ['b.cdn.net'] } } },
    ],
  },
  TLS_CERT_INVALID: {
    severity: 'critical',
    candidate: 'left',
    left: { exchanges: { tls: { authorized: false, authorizationError: 'CERT_HAS_EXPIRED' } } },
    right: { exchanges: { tls: { authorized: true } } },
    silent: [{ exchanges: { tls: { authorized: true } } }, { exchanges: { tls: { authorized: true } } }],
  },
  TLS_CERT_EXPIRY: {
    severity: 'critical',
    left: { more: { certificate: certificate() } },
    right: { more: { certificate: certificate({ validTo: '2026-03-06T00:00:00Z' }) } },
    silent: [
      { more: { certificate: certificate() } },
      { more: { certificate: certificate({ validTo: '2026-04-20' }) } },
    ],
  },
  TLS_CERT_DRIFT: {
    severity: 'warn',
    undirected: true,
    left: { more: { certificate: certificate({ issuer: 'O=Internal CA' }) } },
    right: { more: { certificate: certificate() } },
    silent: [
      { more: { certificate: certificate() } },
      { more: { certificate: certificate({ issuer: "C=US\nO=Let's Encrypt\nCN=E5", serialNumber: '9' }) } },
    ],
  },
  TLS_SAN_DRIFT: {
    severity: 'info',
    left: {
      more: { certificate: certificate({ altNames: ['DNS:staging.example.com', 'DNS:api.example.com'] }) },
    },
    right: { more: { certificate: certificate({ altNames: ['DNS:www.example.com'] }) } },
    silent: [
      { more: { certificate: certificate({ altNames: ['DNS:staging.example.com'] }) } },
      { more: { certificate: certificate({ altNames: ['DNS:www.example.com'] }) } },
    ],
  },
  TLS_PROTOCOL_DRIFT: {
    severity: 'critical',
    left: { exchanges: { tls: { version: 'TLSv1.3' } } },
    right: { exchanges: { tls: { version: 'TLSv1.1' } } },
    silent: [
      { exchanges: { tls: { version: 'TLSv1.3' } } },
      { exchanges: { tls: { version: 'TLSv1.3', cipher: 'x' } } },
    ],
  },
};
