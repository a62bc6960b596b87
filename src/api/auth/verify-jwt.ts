/**
 * Verifies a service JWT. The server's kind of key decides the algorithm, never the token: a shared secret only allows
 * HS256, a key set only asymmetric signatures, so a public key can never be used as an HMAC secret. `exp` is required,
 * and every `crit` header is refused. A token that was verified is not verified again (`verified-grants.ts`).
 */
import {
  type CryptoKey,
  decodeProtectedHeader,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { SondeError } from '../../errors.js';
import { type RouteClaims, readRouteClaims } from '../../route-claims.js';
import { isTenantScope } from '../../scopes.js';
import { fromJoseError, invalidSecret } from './invalid-secret.js';
import type { JwksKeys } from './jwks-keys.js';
import { type Grant, isTenantSlug } from './principal.js';
import { portableSha256, type Sha256 } from './secret-digest.js';
import { VerifiedGrants } from './verified-grants.js';

export const TOKEN_CHARS_MAX = 8192;
export const SECRET_BYTES_MIN = 32;
export const CLOCK_TOLERANCE_SECONDS = 30;

const ASYMMETRIC = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const TOKEN_TYPES = new Set(['jwt', 'at+jwt']);

export interface JwtSettings {
  readonly key: { readonly secret: string } | { readonly jwks: JwksKeys };
  readonly issuer?: string;
  readonly audience?: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly sha256?: Sha256;
}

interface VerificationKeys {
  /** What is in use now, to recognise a change. */
  current(): Promise<object | undefined>;
  keyFor(...token: Parameters<JwksKeys['keyFor']>): Promise<CryptoKey>;
}

export type VerifyJwt = (token: string) => Promise<Grant>;

export function createJwtVerifier(settings: JwtSettings): VerifyJwt {
  const { key, clock, sha256 = portableSha256 } = settings;
  const keys: VerificationKeys = 'jwks' in key ? key.jwks : keysOf(key.secret);
  const verified = new VerifiedGrants();
  const options: JWTVerifyOptions = {
    algorithms: 'secret' in key ? ['HS256'] : ASYMMETRIC,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    requiredClaims: ['exp'],
    ...(settings.issuer === undefined ? {} : { issuer: settings.issuer }),
    ...(settings.audience === undefined ? {} : { audience: settings.audience }),
  };
  const verify = async (token: string, ms: number): Promise<JWTPayload> => {
    refuseByHeader(token);
    const dated = { ...options, currentDate: new Date(ms) };
    try {
      return (await jwtVerify(token, (header, jws) => keys.keyFor(header, jws), dated)).payload;
    } catch (thrown) {
      throw fromJoseError(thrown);
    }
  };
  return async (token) => {
    if (token.length > TOKEN_CHARS_MAX) throw invalidSecret('too_long');
    const ms = clock();
    const digest = sha256(token);
    const before = await keys.current();
    const known = verified.find(digest, { keys: before, seconds: Math.floor(ms / 1000) });
    if (known) return known;
    const payload = await verify(token, ms);
    const grant = grantOf(payload);
    // If the keys changed meanwhile, it is not known which of them verified this token.
    if (before !== undefined && before === (await keys.current())) {
      verified.keep(digest, { grant, keys: before, chars: token.length, ...datesOf(payload) });
    }
    return grant;
  };
}

/** As `jwtVerify` compares them: in whole seconds, with the same tolerance. */
function datesOf({ nbf = Number.NEGATIVE_INFINITY, exp = 0 }: JWTPayload) {
  return { from: nbf - CLOCK_TOLERANCE_SECONDS, until: exp + CLOCK_TOLERANCE_SECONDS };
}

function keysOf(secret: string): VerificationKeys {
  const imported = hmacKey(secret);
  return { current: () => imported, keyFor: () => imported };
}

/** A shared secret as a key, imported once; RFC 7518 section 3.2 requires at least the hash's 32 bytes. */
export function hmacKey(secret: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  if (bytes.length >= SECRET_BYTES_MIN) {
    return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify']);
  }
  throw new SondeError('CONFIG_INVALID_VALUE', `A signing secret needs at least ${SECRET_BYTES_MIN} bytes.`, {
    details: { bytesMin: SECRET_BYTES_MIN },
  });
}

/** RFC 7515 §2: base64url without padding. Decoders would also accept other spellings of the same bytes. */
const COMPACT = /^[A-Za-z0-9_.-]*$/;

function refuseByHeader(token: string): void {
  if (!COMPACT.test(token)) throw invalidSecret('malformed');
  let header: ReturnType<typeof decodeProtectedHeader>;
  try {
    header = decodeProtectedHeader(token);
  } catch (cause) {
    throw invalidSecret('malformed', cause);
  }
  if ('crit' in header) throw invalidSecret('critical_header');
  if (header.typ === undefined) return;
  const type = typeof header.typ === 'string' ? header.typ.toLowerCase().replace(/^application\//, '') : '';
  if (!TOKEN_TYPES.has(type)) throw invalidSecret('token_type');
}

/** A token without a tenant belongs to an operator and has only that scope; a tenant's token never has it. */
function grantOf(payload: JWTPayload): Grant {
  const { tenant, names, claims } = claimsOf(payload);
  if (tenant !== undefined) return { tenant, scopes: new Set(names.filter(isTenantScope)), ...claims };
  if (!names.includes('operator')) throw invalidSecret('tenant');
  return { tenant: null, scopes: new Set(['operator']) };
}

interface TokenClaims {
  readonly tenant?: string;
  /** The scopes, which may include unknown ones. */
  readonly names: readonly string[];
  readonly claims: RouteClaims;
}

/** The claims that service tokens, session tokens and login codes share. */
export function claimsOf(payload: JWTPayload): TokenClaims {
  const { tenant, scope = [], routes, paths } = payload as Readonly<Record<string, unknown>>;
  const names: unknown = typeof scope === 'string' ? scope.split(' ') : scope;
  if (!isStringList(names)) throw invalidSecret('scope');
  const claims = readRouteClaims({ routes, paths });
  if (!claims) throw invalidSecret('routes');
  if (tenant === undefined) return { names, claims };
  if (typeof tenant !== 'string' || !isTenantSlug(tenant)) throw invalidSecret('tenant');
  return { tenant, names, claims };
}

/** The same claims, for a token of this server. */
export function claimsFor({
  tenant,
  scopes,
  routes,
  paths,
}: Grant & { readonly tenant: string }): JWTPayload {
  return {
    tenant,
    scope: [...scopes].join(' '),
    ...(routes && { routes: [...routes] }),
    ...(paths && { paths: [...paths] }),
  };
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
