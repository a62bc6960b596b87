/**
 * Seals small texts with AES-256-GCM. The key is derived from a secret of the server (HKDF), each seal uses a new
 * random nonce, and the owner's name is authenticated. Format: `1.`, then nonce, tag and ciphertext as base64url.
 * Format and key are the same on every engine; only the cipher differs. Web crypto runs everywhere, but on Node each
 * call crosses to another thread and costs about 65 µs of CPU time, against 20 µs for the native cipher.
 */
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { concatBytes, fromBase64Url, toBase64Url } from '../../net/index.js';
import type { SecretBox } from './webhook-ports.js';

/** AES-256-GCM with one key. Sealed bytes end with the tag of 16 bytes (RFC 5116). */
export interface BoxCipher {
  seal(text: Uint8Array, bound: Bound): Promise<Uint8Array>;
  /** Returns undefined if the bytes were not sealed with this key, nonce and owner. */
  open(sealed: Uint8Array, bound: Bound): Promise<Uint8Array | undefined>;
}

interface Bound {
  readonly nonce: Uint8Array;
  readonly owner: Uint8Array;
}

const FORM = /^1\.([A-Za-z0-9_-]+)$/;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * `secrets` are base64url. The first one seals; all of them open. `purpose` separates the keys from others that are
 * derived from the same secret.
 */
export function createSecretBox(
  secrets: string | readonly string[],
  purpose: string,
  cipherOf: (key: Uint8Array) => BoxCipher = webCipher,
): SecretBox {
  const [first, ...older] = [secrets].flat().map((secret) => boxUnder(secret, purpose, cipherOf));
  if (!first) throw new Error('a box needs a secret');
  return {
    seal: first.seal,
    async open(sealed, owner) {
      for (const box of [first, ...older]) {
        const text = await box.open(sealed, owner);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

function boxUnder(secret: string, purpose: string, cipherOf: (key: Uint8Array) => BoxCipher): SecretBox {
  const root = fromBase64Url(secret);
  if (!root?.length) throw new Error('the secret of a box must be base64url');
  const cipher = cipherOf(hkdf(sha256, root, undefined, utf8ToBytes(purpose), KEY_BYTES));
  return {
    async seal(text, owner) {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const output = await cipher.seal(utf8ToBytes(text), { nonce, owner: utf8ToBytes(owner) });
      const at = output.length - TAG_BYTES;
      return `1.${toBase64Url(concatBytes([nonce, output.subarray(at), output.subarray(0, at)]))}`;
    },
    async open(sealed, owner) {
      const bytes = fromBase64Url(FORM.exec(sealed)?.[1] ?? '');
      if (!bytes || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const input = concatBytes([bytes.subarray(NONCE_BYTES + TAG_BYTES), tag]);
      const text = await cipher.open(input, { nonce, owner: utf8ToBytes(owner) });
      return text && new TextDecoder('utf-8', { ignoreBOM: true }).decode(text);
    },
  };
}

function webCipher(key: Uint8Array): BoxCipher {
  let imported: Promise<CryptoKey> | undefined;
  const ready = () => {
    imported ??= crypto.subtle.importKey('raw', own(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
    return imported;
  };
  const settings = ({ nonce, owner }: Bound) => ({
    name: 'AES-GCM',
    iv: own(nonce),
    additionalData: own(owner),
    tagLength: TAG_BYTES * 8,
  });
  return {
    seal: async (text, bound) =>
      new Uint8Array(await crypto.subtle.encrypt(settings(bound), await ready(), own(text))),
    async open(sealed, bound) {
      const under = await ready();
      try {
        return new Uint8Array(await crypto.subtle.decrypt(settings(bound), under, own(sealed)));
      } catch {
        return undefined;
      }
    },
  };
}

/** Web crypto accepts no shared memory; none of the bytes here are in any. */
function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}
