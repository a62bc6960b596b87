/**
 * The token that comes with a wake; its holder acknowledges with it. It is a MAC over the subscription and the wake's
 * generation, so it is never stored and can be computed again for a second delivery. It contains its tenant, because
 * the receiver of a webhook has no other credential. A genuine token of an older generation can be distinguished from a
 * forged one; the lease limits its validity.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64Url, toBase64Url } from '../../net/index.js';
import type { SubscriptionConfig } from './subscription-store.js';

export interface CallbackToken {
  readonly tenant: string;
  readonly generation: number;
  readonly text: string;
}

type Owner = Pick<SubscriptionConfig, 'tenant' | 'id' | 'nonce'>;

const TOKEN_CHARS_MAX = 512;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function mintCallbackToken(key: Uint8Array, owner: Owner, generation: number): string {
  const payload = encoder.encode(JSON.stringify([owner.tenant, generation]));
  return `${toBase64Url(payload)}.${toBase64Url(macOf(key, owner, generation))}`;
}

/** Decodes a token without verifying it; undefined if it is malformed. */
export function readCallbackToken(text: string): CallbackToken | undefined {
  const payload = text.length > TOKEN_CHARS_MAX ? undefined : fromBase64Url(text.split('.')[0] ?? '');
  const parsed = parse(decoder.decode(payload));
  if (!Array.isArray(parsed)) return undefined;
  const [tenant, generation] = parsed as unknown[];
  if (typeof tenant !== 'string' || typeof generation !== 'number') return undefined;
  return { tenant, generation, text };
}

/** Compares digests in constant time, so the timing does not reveal how many characters match. */
export function isGenuine(key: Uint8Array, owner: Owner, token: CallbackToken): boolean {
  const expected = sha256(encoder.encode(mintCallbackToken(key, owner, token.generation)));
  const given = sha256(encoder.encode(token.text));
  let difference = 0;
  for (const [at, byte] of expected.entries()) difference |= byte ^ (given[at] ?? 0);
  return difference === 0;
}

function macOf(key: Uint8Array, { tenant, id, nonce }: Owner, generation: number): Uint8Array {
  return hmac(sha256, key, encoder.encode(JSON.stringify(['callback', tenant, id, nonce, generation])));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
