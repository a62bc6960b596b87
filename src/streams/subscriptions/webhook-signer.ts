/**
 * The key that signs webhooks: Ed25519, derived from a seed and named by the thumbprint of its public key. It uses web
 * crypto, which every engine has. Node before 20.19.3 prints one warning that Ed25519 is experimental there.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64Url, toBase64Url } from '../../net/index.js';
import type { WebhookSigner } from './webhook-ports.js';

/** RFC 8410: the bytes before the 32 bytes of the seed in PKCS #8. */
const PKCS8_PREFIX = [
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];
const ED25519 = { name: 'Ed25519' };

/** `seed`: 32 bytes as base64url. */
export async function createWebhookSigner(seed: string): Promise<WebhookSigner> {
  const der = new Uint8Array([...PKCS8_PREFIX, ...(fromBase64Url(seed) ?? [])]);
  const key = await crypto.subtle.importKey('pkcs8', der, ED25519, true, ['sign']);
  const { x = '' } = await crypto.subtle.exportKey('jwk', key);
  // RFC 7638: the required members in order, and nothing else.
  const thumbprint = sha256(utf8ToBytes(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })));
  return {
    publicJwk: {
      kty: 'OKP',
      crv: 'Ed25519',
      x,
      kid: `ds_${toBase64Url(thumbprint)}`,
      use: 'sig',
      alg: 'EdDSA',
    },
    sign: async (bytes) =>
      new Uint8Array(await crypto.subtle.sign(ED25519, key, bytes as Uint8Array<ArrayBuffer>)),
  };
}
