/**
 * Standard Webhooks: `webhook-id`, `webhook-timestamp`, and `webhook-signature` over both and the exact bytes of the
 * body. A webhook's secret is derived from the server's key and the webhook's id, so it is never stored.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

export interface WebhookKey {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  secretOf(webhookId: string): Uint8Array;
}

const KEY_ID_CHARS = 16;

export function createWebhookKey(serverKey: string): WebhookKey {
  const root = hmac(sha256, utf8ToBytes(serverKey), utf8ToBytes('sonde webhooks of tenants, version 1'));
  return {
    keyId: bytesToHex(sha256(root)).slice(0, KEY_ID_CHARS),
    secretOf: (webhookId) => hmac(sha256, root, utf8ToBytes(webhookId)),
  };
}

/** The secret in the format that receivers expect. */
export function writtenSecret(secret: Uint8Array): string {
  return `whsec_${base64(secret)}`;
}

export interface SignedContent {
  readonly id: string;
  readonly seconds: number;
  readonly body: string;
}

export function signWebhook(secret: Uint8Array, { id, seconds, body }: SignedContent): string {
  return `v1,${base64(hmac(sha256, secret, utf8ToBytes(`${id}.${seconds}.${body}`)))}`;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
