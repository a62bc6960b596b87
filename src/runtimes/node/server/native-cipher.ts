/** AES-256-GCM of OpenSSL, synchronously in this thread, for `createSecretBox`. */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { BoxCipher } from '../../../streams/index.js';

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;

export function nativeCipher(key: Uint8Array): BoxCipher {
  return {
    async seal(text, { nonce, owner }) {
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(owner);
      return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    },
    async open(sealed, { nonce, owner }) {
      const at = sealed.length - TAG_BYTES;
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(owner)
        .setAuthTag(sealed.subarray(at));
      const start = decipher.update(sealed.subarray(0, at));
      try {
        return Buffer.concat([start, decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
