import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { createWebhookSigner } from './webhook-signer.js';

/** RFC 8032, section 7.1, test 2. */
const SEED = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
const PUBLIC = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex');
const SIGNATURE =
  '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';

test('signs according to RFC 8032 with a publicly verifiable key', async () => {
  const signer = await createWebhookSigner(SEED.toString('base64url'));
  expect(signer.publicJwk).toMatchObject({
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    use: 'sig',
    x: PUBLIC.toString('base64url'),
  });
  // Receivers store this key id, so every version must derive the same one from a seed.
  expect(signer.publicJwk.kid).toBe('ds_FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk');
  const signature = await signer.sign(new Uint8Array([0x72]));
  expect(Buffer.from(signature).toString('hex')).toBe(SIGNATURE);
  const key = createPublicKey({ key: signer.publicJwk as unknown as JsonWebKey, format: 'jwk' });
  expect(verify(null, new Uint8Array([0x72]), key, signature)).toBe(true);
});
