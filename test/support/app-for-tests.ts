/** An app for unit tests of the API: real parts, an injected clock, and a recorded log. */

import type { AppDeps } from '../../src/api/app-env.js';
import { createAuthenticator } from '../../src/api/auth/authenticator.js';
import { LoginCodes } from '../../src/api/auth/login-codes.js';
import { mintToken } from '../../src/api/auth/mint-token.js';
import type { TenantGrant } from '../../src/api/auth/principal.js';
import type { RevokedSessions } from '../../src/api/auth/revoked-sessions.js';
import { createServiceTokenFinder } from '../../src/api/auth/service-tokens.js';
import { createSessionTokens } from '../../src/api/auth/session-tokens.js';
import { createJwtVerifier } from '../../src/api/auth/verify-jwt.js';
import { createApp } from '../../src/api/create-app.js';
import { Metrics } from '../../src/api/metrics/metrics.js';
import { createRequestMeter } from '../../src/api/metrics/request-meter.js';
import { operationsOf } from '../../src/api/operations.js';
import { createRateLimiter } from '../../src/kernel/rate-limit.js';
import { SCOPES } from '../../src/scopes.js';
import { keepingLog, type LogLine } from './keeping-log.js';

export const JWT_SECRET = 'a-jwt-secret-for-tests-of-40-characters!';
export const SESSION_KEY = 'a-session-key-for-tests-of-41-characters!';
export const SERVICE_TOKEN = 'service-token-for-tests-of-37-letters';
export const START_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
export const EVERYTHING: TenantGrant = { tenant: 'default', scopes: new Set(SCOPES) };

export class TestClock {
  ms = START_MS;
  readonly now = (): number => this.ms;
}

/** In memory; their contract suite holds the engines' own stores to the same behaviour. */
export function rememberedSessions(): RevokedSessions {
  const ended = new Set<string>();
  return { add: async (id) => void ended.add(id), has: async (id) => ended.has(id) };
}

export function appForTests({
  ratePerMinute = 0,
  ...overrides
}: Partial<AppDeps> & { ratePerMinute?: number } = {}) {
  const clock = new TestClock();
  const lines: LogLine[] = [];
  const codes = new LoginCodes(clock.now);
  const sessions = createSessionTokens(SESSION_KEY, { clock: clock.now, revoked: rememberedSessions() });
  const metrics = new Metrics();
  const deps: AppDeps = {
    version: '1.2.3',
    clock: clock.now,
    log: keepingLog(lines),
    metrics,
    meter: createRequestMeter(metrics),
    authenticator: createAuthenticator({
      verifyJwt: createJwtVerifier({ key: { secret: JWT_SECRET }, clock: clock.now }),
      findServiceToken: createServiceTokenFinder([
        { token: SERVICE_TOKEN, tenant: 'acme', scopes: ['admin'] },
      ]),
      sessions,
      tenantExists: async (slug) => slug !== 'nobody',
    }),
    login: {
      async redeem(code) {
        const grant = codes.redeem(code);
        return { grant, token: await sessions.mint(grant) };
      },
      end: (token) => sessions.end(token),
    },
    readiness: [],
    stopping: () => false,
    settings: { sseMs: 60_000 },
    limits: { bodyBytesMax: 1024 },
    rateLimiter: createRateLimiter(ratePerMinute, clock.now),
    corsOrigins: [],
    trustedPeer: (address) => address === '10.0.0.1',
    localOnly: false,
    ...overrides,
  };
  const token = (...scopes: string[]) =>
    mintToken({ secret: JWT_SECRET, tenant: 'acme', scopes, expiresInSeconds: 60, nowMs: clock.ms });
  const operatorToken = () =>
    mintToken({ secret: JWT_SECRET, operator: true, expiresInSeconds: 60, nowMs: clock.ms });
  return {
    app: createApp(deps),
    operations: operationsOf(deps),
    clock,
    codes,
    sessions,
    lines,
    token,
    operatorToken,
    metrics,
  };
}

/** Returns the `error` of an error response. */
export async function errorOf(response: Response): Promise<Record<string, unknown>> {
  const body = (await response.json()) as { error: Record<string, unknown> };
  return body.error;
}
