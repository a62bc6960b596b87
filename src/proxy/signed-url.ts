/**
 * Capability URLs: until the URL expires, its holder may read the stream and abort its upstream request or, with
 * `access=read`, only read it. The signature is HMAC-SHA256 over `{id}:{expires}`, or `{id}:{expires}:read`, in
 * base64url, so that one kind of URL cannot be turned into the other. Verification takes constant time and compares the
 * encoded text, so that a signature has only one valid spelling.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { SondeError } from '../errors.js';
import { toBase64Url } from '../net/index.js';

/** What the holder of a signed URL may do: read and abort, or only read. */
export type SignedAccess = 'full' | 'read';

/** A signed URL that was verified. */
export interface SignedGrant {
  readonly access: SignedAccess;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

export interface SignedUrls {
  /** The path and query that give access to the stream until `expiresAt` (seconds since the epoch). */
  pathFor(id: string, expiresAt: number, access?: SignedAccess): string;
  /** Throws `SIGNATURE_EXPIRED` or `SIGNATURE_INVALID`. */
  verify(id: string, query: SignedQuery, nowMs: number): void;
}

export interface SignedQuery {
  readonly expires: string;
  readonly signature: string;
  readonly access?: SignedAccess;
}

const EXPIRES = /^(?:0|[1-9]\d{0,11})$/;

/** The first secret signs; all of them verify, so that a secret can be replaced while its URLs are still in use. */
export function createSignedUrls(secrets: readonly string[]): SignedUrls {
  const keys = secrets.map(utf8ToBytes);
  const [signing] = keys;
  if (!signing) throw new Error('a signing secret is required');
  return {
    pathFor(id, expiresAt, access = 'full') {
      const signature = sign(signing, id, { expires: String(expiresAt), access });
      const mark = access === 'read' ? '&access=read' : '';
      return `/v1/proxy/${encodeURIComponent(id)}?expires=${expiresAt}${mark}&signature=${signature}`;
    },
    verify(id, { expires, signature, access = 'full' }, nowMs) {
      if (!EXPIRES.test(expires)) throw invalid();
      if (nowMs > Number(expires) * 1000) {
        throw new SondeError('SIGNATURE_EXPIRED', 'The signed URL has expired. Request a new one.');
      }
      const matches = keys.map((key) => sameText(sign(key, id, { expires, access }), signature));
      if (!matches.includes(true)) throw invalid();
    },
  };
}

/** Returns the parts, or undefined if one is missing. A repeated part, or an unknown kind of access, is invalid. */
export function readSignedQuery(query: URLSearchParams): SignedQuery | undefined {
  const expires = query.getAll('expires');
  const signature = query.getAll('signature');
  if (expires.length === 0 || signature.length === 0) return undefined;
  const access = query.getAll('access');
  if (expires.length > 1 || signature.length > 1 || access.length > 1) throw invalid();
  if (access.length > 0 && access[0] !== 'read') throw invalid();
  return {
    expires: expires[0] ?? '',
    signature: signature[0] ?? '',
    ...(access.length > 0 && { access: 'read' as const }),
  };
}

/** What the holder of the signed URL may do; undefined if the query has no signature. Throws for a bad one. */
export function verifySigned(
  signedUrls: SignedUrls,
  id: string,
  { query, now }: { readonly query: URLSearchParams; readonly now: number },
): SignedGrant | undefined {
  const signed = readSignedQuery(query);
  if (!signed) return undefined;
  signedUrls.verify(id, signed, now);
  return { access: signed.access ?? 'full', expiresAt: Number(signed.expires) };
}

function sign(
  key: Uint8Array,
  id: string,
  { expires, access }: { readonly expires: string; readonly access: SignedAccess },
): string {
  const text = access === 'read' ? `${id}:${expires}:read` : `${id}:${expires}`;
  return toBase64Url(hmac(sha256, key, utf8ToBytes(text)));
}

function sameText(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let i = 0; i < expected.length; i++) difference |= expected.charCodeAt(i) ^ given.charCodeAt(i);
  return difference === 0;
}

function invalid(): SondeError {
  return new SondeError(
    'SIGNATURE_INVALID',
    'The signature of this URL is not valid. Use the URL exactly as the server returned it.',
  );
}
