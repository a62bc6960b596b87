/**
 * Seals small texts on web crypto, in the form that the Node engine has: AES-256-GCM under a key derived from a
 * secret of the server (HKDF), a new nonce each time, the owner's name authenticated: `1.` and nonce, tag and
 * sealed bytes.
 */
import { concatBytes, fromBase64Url, toBase64Url } from '../../../net/index.js';
import type { SecretBox } from '../../../streams/index.js';

const FORM = /^1\.([A-Za-z0-9_-]+)$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `secret`: as base64url. `purpose` keeps the key apart from others of the same secret. */
export async function createSecretBox(secret: string, purpose: string): Promise<SecretBox> {
  const root = await crypto.subtle.importKey(
    'raw',
    fromBase64Url(secret) ?? new Uint8Array(0),
    'HKDF',
    false,
    ['deriveKey'],
  );
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(purpose) };
  const key = await crypto.subtle.deriveKey(derivation, root, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const cipher = (iv: Uint8Array, owner: string) => ({
    name: 'AES-GCM',
    iv,
    additionalData: utf8(owner),
    tagLength: TAG_BYTES * 8,
  });
  return {
    async seal(text, owner) {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const made = new Uint8Array(await crypto.subtle.encrypt(cipher(nonce, owner), key, utf8(text)));
      // Web crypto puts the tag behind; our form has it before.
      const at = made.length - TAG_BYTES;
      return `1.${toBase64Url(concatBytes([nonce, made.subarray(at), made.subarray(0, at)]))}`;
    },
    async open(sealed, owner) {
      const bytes = fromBase64Url(FORM.exec(sealed)?.[1] ?? '') ?? new Uint8Array(0);
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const [nonce, tag] = [
        bytes.subarray(0, NONCE_BYTES),
        bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
      ];
      const data = concatBytes([bytes.subarray(NONCE_BYTES + TAG_BYTES), tag]);
      try {
        return new TextDecoder().decode(await crypto.subtle.decrypt(cipher(nonce, owner), key, data));
      } catch {
        return undefined;
      }
    },
  };
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
