/**
 * The reasons for refusing a credential: a closed set, each with one sentence. The caller only gets that sentence;
 * neither the token nor the verifier's own message is ever repeated.
 */
import { errors } from 'jose';
import { SondeError } from '../../errors.js';

const SENTENCES = {
  malformed: 'The token is neither a well-formed JWT nor a known service token.',
  too_long: 'The token is longer than the limit of 8192 characters.',
  algorithm: 'The token is signed with an algorithm that this server does not accept.',
  critical_header: 'The token requires a header extension ("crit"); none is supported.',
  token_type: 'The token has the wrong type ("typ") for this kind of credential.',
  unknown_key: 'The token refers to a signing key that this server does not have.',
  signature: "The token's signature is not valid.",
  expired: 'The token has expired.',
  not_yet_valid: 'The token is not valid yet ("nbf" is in the future).',
  issuer: 'The token comes from a different issuer ("iss").',
  audience: 'The token is intended for a different audience ("aud").',
  no_expiry: 'The token has no usable expiry ("exp"); one is required.',
  logged_out: 'The session was logged out.',
  tenant: 'The token\'s "tenant" claim is missing or not a slug of a-z, 0-9 and -, at most 63 characters.',
  scope: 'The token\'s "scope" claim is neither a space-separated string nor a list of strings.',
  routes:
    'The token\'s "routes" or "paths" claim is not a list of at most 64 route names, or of paths such as "POST /v1/chat/completions".',
} as const;

export type SecretFault = keyof typeof SENTENCES;

export function invalidSecret(reason: SecretFault, cause?: unknown): SondeError {
  return new SondeError('INVALID_SECRET', SENTENCES[reason], { cause, details: { reason } });
}

const BY_JOSE_CODE: Readonly<Record<string, SecretFault>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'algorithm',
  ERR_JOSE_NOT_SUPPORTED: 'algorithm',
  ERR_JWKS_NO_MATCHING_KEY: 'unknown_key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'unknown_key',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
  ERR_JWT_EXPIRED: 'expired',
};

const BY_CLAIM: Readonly<Record<string, SecretFault>> = {
  aud: 'audience',
  exp: 'no_expiry',
  iss: 'issuer',
  nbf: 'not_yet_valid',
  typ: 'token_type',
};

/** Turns a failed verification into a coded error; every other error is returned unchanged. */
export function fromJoseError(thrown: unknown): unknown {
  if (!(thrown instanceof errors.JOSEError)) return thrown;
  if (thrown instanceof errors.JWTClaimValidationFailed) {
    return invalidSecret(BY_CLAIM[thrown.claim] ?? 'malformed', thrown);
  }
  return invalidSecret(BY_JOSE_CODE[thrown.code] ?? 'malformed', thrown);
}
