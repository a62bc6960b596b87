/** Planted differences in reliability, routing, login, CORS, timing, platform and TLS. */
import type { IncomingMessage } from 'node:http';
import {
  type CannedResponse,
  type DriftCases,
  LEFT_HOST,
  page,
  RIGHT_HOST,
  withHeaders,
} from './drift-case.js';

const redirect = (location: string, status = 302): CannedResponse => ({ status, headers: { location } });
/** Redirects the path itself to `to`, and serves the page at the target. */
const redirecting =
  (to: string, status = 302) =>
  (request: IncomingMessage) =>
    request.url?.includes('/to-') ? page() : redirect(to, status);
const challenge = (value: string): CannedResponse => ({
  status: 401,
  headers: { 'www-authenticate': value },
});
const allowing = (origin: string, more: Record<string, string> = {}) => ({
  'access-control-allow-origin': origin,
  ...more,
});
const slow = (delayMs: number): CannedResponse => ({ ...page(), delayMs });
const originOf = (request: IncomingMessage) => request.headers.origin ?? '';

export const TRAFFIC_CASES: DriftCases = {
  PROBE_FAILURE: { severity: 'critical', left: { status: 503 }, right: { drop: true } },
  PROBE_FLAKY: {
    severity: 'warn',
    left: page(),
    right: (_, turn) => (turn === 0 ? page() : { ...page(), status: 503 }),
  },
  PROBE_BLOCKED: { severity: 'warn', left: page(), right: { status: 429 } },
  RUNNER_CONTEXT_DRIFT: {
    severity: 'info',
    left: page(),
    right: page(),
    leftHeaders: [['authorization', 'Bearer planted']],
  },
  STATUS_MISMATCH: { severity: 'critical', left: page(), right: { ...page(), status: 500 } },
  FINAL_URL_MISMATCH: { severity: 'warn', left: page(), right: redirecting('/to-elsewhere') },
  REDIRECT_CHAIN_CHANGED: {
    severity: 'critical',
    left: redirecting('/to-en'),
    right: redirecting('/to-welcome'),
  },
  REDIRECT_STATUS_DRIFT: {
    severity: 'warn',
    left: redirecting('/to-en', 302),
    right: redirecting('/to-en', 301),
  },
  REDIRECT_LOOP: {
    severity: 'critical',
    left: page(),
    right: (request) => redirect(request.url ?? '/'),
  },
  HTTPS_ENFORCEMENT_DRIFT: { severity: 'critical', left: page(), right: page(), http: { right: page() } },
  CROSS_ENV_LEAK: {
    severity: 'critical',
    left: page(),
    right: withHeaders({ link: `<https://${LEFT_HOST}/app.css>; rel=preload` }),
  },
  INDEXABILITY_DRIFT: {
    severity: 'critical',
    left: page(),
    right: withHeaders({ 'x-robots-tag': 'noindex' }),
  },
  METHOD_SUPPORT_DRIFT: {
    severity: 'warn',
    left: page(),
    right: ({ method }) => (method === 'HEAD' ? { status: 405 } : page()),
  },
  AUTH_CHALLENGE_PRESENT: { severity: 'critical', left: challenge('Basic realm="staging"'), right: page() },
  AUTH_GATE_DRIFT: { severity: 'critical', left: { status: 403 }, right: page() },
  AUTH_SCHEME_DRIFT: {
    severity: 'warn',
    left: challenge('Bearer realm="api"'),
    right: challenge('Basic realm="api"'),
  },
  CORS_HEADER_DRIFT: { severity: 'critical', left: withHeaders(allowing('*')), right: page() },
  CORS_PREFLIGHT_DRIFT: {
    severity: 'critical',
    left: (request) =>
      request.method === 'OPTIONS'
        ? {
            status: 204,
            headers: allowing(originOf(request), {
              'access-control-allow-methods': 'POST',
              'access-control-allow-headers': 'authorization, content-type',
            }),
          }
        : page(),
    right: ({ method }) => (method === 'OPTIONS' ? { status: 403 } : page()),
  },
  CORS_REFLECTION: {
    severity: 'critical',
    left: page(),
    right: (request) =>
      request.headers.origin === undefined
        ? page()
        : withHeaders(
            allowing(originOf(request), { 'access-control-allow-credentials': 'true', vary: 'Origin' }),
          ),
  },
  CORS_VARY_MISSING: {
    severity: 'warn',
    left: withHeaders({ vary: 'Origin' }),
    right: (request) =>
      originOf(request) === `https://${RIGHT_HOST}` ? withHeaders(allowing(originOf(request))) : page(),
  },
  // Critical from 2.5 times on, and on a busy machine every response takes longer.
  TIMING_DRIFT: { severity: 'critical', left: page(), right: slow(600), samples: 5 },
  TIMING_PHASE_DRIFT: { severity: 'info', left: page(), right: slow(250), samples: 5 },
  TIMING_VARIANCE_DRIFT: {
    severity: 'info',
    left: slow(60),
    right: (_, turn) => slow(turn === 0 ? 900 : 60),
    samples: 5,
  },
  CF_CONTEXT_DRIFT: {
    severity: 'info',
    left: withHeaders({ 'cf-ray': '8f1b2c3d4e5f6a7b-FRA' }),
    right: withHeaders({ 'cf-ray': '9a1b2c3d4e5f6a7b-AMS' }),
  },
  PROTOCOL_DRIFT: { severity: 'warn', left: page(), right: page(), tls: 'old' },
  EDGE_PATH_DRIFT: { severity: 'warn', left: page(), right: withHeaders({ via: '1.1 abc.cloudfront.net' }) },
  SERVER_STACK_DRIFT: {
    severity: 'info',
    left: withHeaders({ server: 'Apache' }),
    right: withHeaders({ server: 'nginx' }),
  },
  RATE_LIMIT_DRIFT: {
    severity: 'warn',
    left: withHeaders({ 'x-ratelimit-limit': '1000' }),
    right: withHeaders({ 'x-ratelimit-limit': '60' }),
  },
  TLS_CERT_INVALID: { severity: 'critical', left: page(), right: page(), tls: 'untrusted' },
  TLS_CERT_EXPIRY: { severity: 'info', left: page(), right: page(), at: '2051-03-27T00:00:00Z' },
  TLS_CERT_DRIFT: { severity: 'warn', left: page(), right: page(), tls: 'other' },
  TLS_SAN_DRIFT: { severity: 'info', left: page(), right: page(), tls: 'other' },
  TLS_PROTOCOL_DRIFT: { severity: 'warn', left: page(), right: page(), tls: 'old' },
};
