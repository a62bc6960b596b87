/** The key that signs webhooks, on web crypto: Ed25519 from a seed, named by the thumbprint of its public half. */
import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64Url, toBase64Url } from '../../../net/index.js';
import type { WebhookSigner } from '../../../streams/index.js';

/** RFC 8410: what stands before the 32 bytes of a seed in a PKCS #8 file. */
const PKCS8_PREFIX = [
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/** `seed`: 32 bytes as base64url. */
export async function createWebhookSigner(seed: string): Promise<WebhookSigner> {
  const der = new Uint8Array([...PKCS8_PREFIX, ...(fromBase64Url(seed) ?? [])]);
  const key = await crypto.subtle.importKey('pkcs8', der, { name: 'Ed25519' }, true, ['sign']);
  const { x = '' } = (await crypto.subtle.exportKey('jwk', key)) as JsonWebKey;
  // RFC 7638: the required members in order, and nothing else.
  const thumbprint = sha256(new TextEncoder().encode(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })));
  return {
    publicJwk: {
      kty: 'OKP',
      crv: 'Ed25519',
      x,
      kid: `ds_${toBase64Url(thumbprint)}`,
      use: 'sig',
      alg: 'EdDSA',
    },
    sign: async (bytes) => new Uint8Array(await crypto.subtle.sign({ name: 'Ed25519' }, key, bytes)),
  };
}
