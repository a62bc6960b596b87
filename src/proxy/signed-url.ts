/**
 * Capability URLs: the holder may read the stream and abort its upstream request until the URL expires. The signature
 * is HMAC-SHA256 over `{id}:{expires}`, base64url. Verification takes constant time and compares the encoded text, so
 * that a signature has only one valid spelling.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { SondeError } from '../errors.js';
import { toBase64Url } from '../net/index.js';

export interface SignedUrls {
  /** The path and query that give access to the stream until `expiresAt` (seconds since the epoch). */
  pathFor(id: string, expiresAt: number): string;
  /** Throws `SIGNATURE_EXPIRED` or `SIGNATURE_INVALID`. */
  verify(id: string, query: SignedQuery, nowMs: number): void;
}

export interface SignedQuery {
  readonly expires: string;
  readonly signature: string;
}

const EXPIRES = /^(?:0|[1-9]\d{0,11})$/;

/** The first secret signs; all of them verify, so that a secret can be replaced while its URLs are still in use. */
export function createSignedUrls(secrets: readonly string[]): SignedUrls {
  const keys = secrets.map(utf8ToBytes);
  const [signing] = keys;
  if (!signing) throw new Error('a signing secret is required');
  return {
    pathFor(id, expiresAt) {
      const signature = sign(signing, id, String(expiresAt));
      return `/v1/proxy/${encodeURIComponent(id)}?expires=${expiresAt}&signature=${signature}`;
    },
    verify(id, { expires, signature }, nowMs) {
      if (!EXPIRES.test(expires)) throw invalid();
      if (nowMs > Number(expires) * 1000) {
        throw new SondeError('SIGNATURE_EXPIRED', 'The signed URL has expired. Request a new one.');
      }
      const matches = keys.map((key) => sameText(sign(key, id, expires), signature));
      if (!matches.includes(true)) throw invalid();
    },
  };
}

/** Returns both parts, or undefined if one is missing. A repeated part is invalid. */
export function readSignedQuery(query: URLSearchParams): SignedQuery | undefined {
  const expires = query.getAll('expires');
  const signature = query.getAll('signature');
  if (expires.length === 0 || signature.length === 0) return undefined;
  if (expires.length > 1 || signature.length > 1) throw invalid();
  return { expires: expires[0] ?? '', signature: signature[0] ?? '' };
}

/** True for the holder of a signed URL, false if the query has no signature; throws for a bad one. */
export function verifySigned(
  signedUrls: SignedUrls,
  id: string,
  { query, now }: { readonly query: URLSearchParams; readonly now: number },
): boolean {
  const signed = readSignedQuery(query);
  if (!signed) return false;
  signedUrls.verify(id, signed, now);
  return true;
}

function sign(key: Uint8Array, id: string, expires: string): string {
  return toBase64Url(hmac(sha256, key, utf8ToBytes(`${id}:${expires}`)));
}

function sameText(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let i = 0; i < expected.length; i++) difference |= expected.charCodeAt(i) ^ given.charCodeAt(i);
  return difference === 0;
}

function invalid(): SondeError {
  return new SondeError('SIGNATURE_INVALID', 'The signature of this URL is not valid.');
}
