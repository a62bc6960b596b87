/**
 * Seals small texts with AES-256-GCM under a key of its own, derived from a secret of the server (HKDF), with a new
 * random nonce each time and the owner's name authenticated with it: `1.` and nonce, tag and sealed bytes.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretBox } from '../../../streams/index.js';

const FORM = /^1\.([A-Za-z0-9_-]+)$/;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `secret`: as base64url. `purpose` keeps the key apart from others of the same secret. */
export function createSecretBox(secret: string, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', purpose, KEY_BYTES));
  return {
    async seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    async open(sealed, owner) {
      const bytes = Buffer.from(FORM.exec(sealed)?.[1] ?? '', 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const start = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([start, decipher.final()]).toString();
      } catch {
        return undefined;
      }
    },
  };
}
