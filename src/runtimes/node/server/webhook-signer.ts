/** The key that signs webhooks, on Node: Ed25519 from a seed, named by the thumbprint of its public half. */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { WebhookSigner } from '../../../streams/index.js';

/** RFC 8410: what stands before the 32 bytes of a seed in a PKCS #8 file. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** `seed`: 32 bytes as base64url. */
export function createWebhookSigner(seed: string): WebhookSigner {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, Buffer.from(seed, 'base64url')]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  // RFC 7638: the required members in order, and nothing else.
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }));
  return {
    publicJwk: {
      kty: 'OKP',
      crv: 'Ed25519',
      x,
      kid: `ds_${thumbprint.digest('base64url')}`,
      use: 'sig',
      alg: 'EdDSA',
    },
    sign: async (bytes) => sign(null, bytes, key),
  };
}
