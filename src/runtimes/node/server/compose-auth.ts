/**
 * Puts the server's authentication together from its options: what verifies a bearer token, who signs
 * sessions, and the first login code. With `none` there is nothing to sign and nothing to log in to.
 */
import type { JSONWebKeySet } from 'jose';
import type { Login } from '../../../api/app-env.js';
import { type Authenticator, createAuthenticator } from '../../../api/auth/authenticator.js';
import { JwksKeys } from '../../../api/auth/jwks-keys.js';
import { createLocalAuthenticator } from '../../../api/auth/local-authenticator.js';
import { LoginCodes } from '../../../api/auth/login-codes.js';
import { DEFAULT_TENANT } from '../../../api/auth/principal.js';
import { createServiceTokenFinder } from '../../../api/auth/service-tokens.js';
import { createSessionTokens } from '../../../api/auth/session-tokens.js';
import { createJwtVerifier, type JwtSettings } from '../../../api/auth/verify-jwt.js';
import { SondeError } from '../../../errors.js';
import { SCOPES } from '../../../scopes.js';
import { readOrCreateSecrets } from './secrets.js';
import type { ServeOptions } from './start-server.js';

export interface ServerAuth {
  readonly authenticator: Authenticator;
  readonly login?: Login;
  readonly issueLoginCode?: () => string;
}

interface AuthParts {
  readonly clock: () => number;
  readonly tenantExists: (slug: string) => Promise<boolean>;
}

export async function composeAuth(
  options: ServeOptions,
  { clock, tenantExists }: AuthParts,
): Promise<ServerAuth> {
  if (options.auth === 'none') return { authenticator: createLocalAuthenticator(options.corsOrigins) };
  const { jwtSecret, sessionKey } = await readOrCreateSecrets(options.dataDir);
  const { issuer, audience } = options.jwt;
  const sessions = createSessionTokens(sessionKey, clock);
  const codes = new LoginCodes(clock);
  return {
    authenticator: createAuthenticator({
      verifyJwt: createJwtVerifier({
        key: verificationKey(options, jwtSecret, clock),
        clock,
        ...(issuer === undefined ? {} : { issuer }),
        ...(audience === undefined ? {} : { audience }),
      }),
      findServiceToken: createServiceTokenFinder(options.serviceTokens),
      sessions,
      tenantExists,
    }),
    login: {
      async redeem(code) {
        const grant = codes.redeem(code);
        return { grant, token: await sessions.mint(grant) };
      },
    },
    issueLoginCode: () => codes.issue({ tenant: DEFAULT_TENANT, scopes: new Set(SCOPES) }),
  };
}

function verificationKey(
  { jwt: { secret, loadJwks }, log }: ServeOptions,
  ownSecret: string,
  clock: () => number,
): JwtSettings['key'] {
  if (loadJwks === undefined) return { secret: secret ?? ownSecret };
  if (secret !== undefined) {
    throw new SondeError('CONFIG_INVALID_VALUE', 'auth.jwks and auth.jwtSecret exclude each other', {
      details: { key: 'auth.jwks' },
    });
  }
  // The shape is checked where the set is read.
  return { jwks: new JwksKeys({ load: () => loadJwks() as Promise<JSONWebKeySet>, clock, log }) };
}
