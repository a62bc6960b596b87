/**
 * Composes the server's authentication from its options: the verifier of bearer tokens, the signer of sessions and the
 * first login code. With `none`, no secrets are read and there is no login.
 */
import type { JSONWebKeySet } from 'jose';
import { SondeError } from '../../errors.js';
import type { Log } from '../../log.js';
import { SCOPES } from '../../scopes.js';
import type { Login } from '../app-env.js';
import { type Authenticator, createAuthenticator } from './authenticator.js';
import { JwksKeys } from './jwks-keys.js';
import { createLocalAuthenticator } from './local-authenticator.js';
import { LoginCodes } from './login-codes.js';
import { DEFAULT_TENANT } from './principal.js';
import type { RevokedSessions } from './revoked-sessions.js';
import { portableSha256, type Sha256 } from './secret-digest.js';
import { createServiceTokenFinder, type ServiceToken } from './service-tokens.js';
import { createSessionTokens } from './session-tokens.js';
import { createCodeRedeemer, isSignedCode } from './signed-login-codes.js';
import { createJwtVerifier, type JwtSettings } from './verify-jwt.js';

export interface ServerAuth {
  readonly authenticator: Authenticator;
  readonly login?: Login;
  readonly issueLoginCode?: () => string;
}

export interface AuthOptions {
  readonly auth: 'jwt' | 'none';
  readonly corsOrigins: readonly string[];
  readonly jwt: Pick<JwtSettings, 'issuer' | 'audience'> & {
    readonly secret?: string;
    readonly loadJwks?: () => Promise<unknown>;
    /** How long a loaded set counts as fresh; ten minutes by default. */
    readonly jwksFreshMs?: number;
  };
  readonly serviceTokens: readonly ServiceToken[];
  readonly log: Log;
}

interface AuthDeps {
  /** Reads the server's own secrets; not called without authentication. */
  readonly secrets: () => Promise<{
    /** Signs and verifies service JWTs; its UTF-8 bytes are the key. */
    readonly jwtSecret: string;
    /** Signs browser sessions; always different from `jwtSecret`. */
    readonly sessionKey: string;
  }>;
  readonly clock: () => number;
  /** For what lives only in memory; `clock` by default. */
  readonly monotonic?: () => number;
  readonly tenantExists: (slug: string) => Promise<boolean>;
  readonly revoked: RevokedSessions;
  /** The platform's own, if it is synchronous. */
  readonly sha256?: Sha256;
}

export async function composeAuth(
  options: AuthOptions,
  { secrets, clock, monotonic = clock, tenantExists, revoked, sha256 = portableSha256 }: AuthDeps,
): Promise<ServerAuth> {
  if (options.auth === 'none') return { authenticator: createLocalAuthenticator(options.corsOrigins) };
  const { jwtSecret, sessionKey } = await secrets();
  const sessions = createSessionTokens(sessionKey, { clock, revoked });
  const codes = new LoginCodes(monotonic);
  const redeemSigned = createCodeRedeemer(sessionKey, { clock, revoked });
  return {
    authenticator: createAuthenticator({
      verifyJwt: createJwtVerifier({
        ...options.jwt,
        key: verificationKey(options, jwtSecret, monotonic),
        clock,
        sha256,
      }),
      findServiceToken: createServiceTokenFinder(options.serviceTokens, sha256),
      sessions,
      tenantExists,
    }),
    login: {
      async redeem(code) {
        const grant = isSignedCode(code) ? await redeemSigned(code) : codes.redeem(code);
        return { grant, token: await sessions.mint(grant) };
      },
      end: (token) => sessions.end(token),
    },
    issueLoginCode: () => codes.issue({ tenant: DEFAULT_TENANT, scopes: new Set(SCOPES) }),
  };
}

function verificationKey(
  { jwt: { secret, loadJwks, jwksFreshMs }, log }: AuthOptions,
  ownSecret: string,
  clock: () => number,
): JwtSettings['key'] {
  if (loadJwks === undefined) return { secret: secret ?? ownSecret };
  if (secret !== undefined) {
    throw new SondeError('CONFIG_INVALID_VALUE', 'auth.jwks and auth.jwtSecret cannot both be set', {
      details: { key: 'auth.jwks' },
    });
  }
  // `JwksKeys` checks the shape when it loads the set.
  const load = () => loadJwks() as Promise<JSONWebKeySet>;
  return {
    jwks: new JwksKeys({ load, clock, log, ...(jwksFreshMs !== undefined && { freshMs: jwksFreshMs }) }),
  };
}
