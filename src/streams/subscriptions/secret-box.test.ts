import { describe, expect, test } from 'vitest';
import { nativeCipher } from '../../runtimes/node/server/native-cipher.js';
import { createSecretBox } from './secret-box.js';

const SECRET = Buffer.alloc(32, 7).toString('base64url');
const TEXT = 'https://example.com/hook?token=abcdef';
const box = (purpose = 'test', secret = SECRET) => createSecretBox(secret, purpose);
const nativeBox = (purpose = 'test', secret = SECRET) => createSecretBox(secret, purpose, nativeCipher);

/** Sealed for `ann` by earlier versions: the first on Node, the second at the edge. */
const SEALED_BEFORE = [
  '1.7lDuAPWQArkKDx6SZ1iHqDweF9_Z_2zK0cwfO1jd7yKoopBbnEQ5hN3PIIf87PAUchRXQ3dKB5Z-Cwv5Ow-7rH4',
  '1.6oo7dA7-3I7zcmrQ6PTke70toPGUIFHUCLr5HEJ2QnLdDb1Ow2Z8UhhsOTz9z1g_4hzC8kKvPuhHv_fcCtq5nZM',
];

describe.each([
  ['web crypto', box, nativeBox],
  ["Node's own cipher", nativeBox, box],
])('a box on %s', (_name, boxOf, otherOf) => {
  test('opens a sealed text only for its owner, and never seals the same text to the same bytes', async () => {
    const [one, two] = [await boxOf().seal(TEXT, 'ann'), await boxOf().seal(TEXT, 'ann')];
    expect(one).not.toBe(two);
    expect(`${one}${two}`).not.toMatch(/example|abcdef/);
    expect(await boxOf().open(one, 'ann')).toBe(TEXT);
    expect(await boxOf().open(one, 'bob')).toBeUndefined();
  });

  test('opens texts sealed by the other cipher and by earlier versions', async () => {
    for (const text of [TEXT, '', '\uFEFFgrüße 🌍', 'x'.repeat(70_000)]) {
      expect(await boxOf().open(await otherOf().seal(text, 'änn'), 'änn')).toBe(text);
    }
    for (const sealed of SEALED_BEFORE) {
      expect(await boxOf('sonde webhook url').open(sealed, 'ann')).toBe(TEXT);
    }
  });

  test('refuses texts of another key or purpose, changed texts and malformed ones', async () => {
    const sealed = await boxOf().seal(TEXT, 'ann');
    const otherSecret = Buffer.alloc(32, 8).toString('base64url');
    expect(await boxOf('test', otherSecret).open(sealed, 'ann')).toBeUndefined();
    expect(await boxOf('else').open(sealed, 'ann')).toBeUndefined();
    const changed = sealed.slice(0, -3) + (sealed.at(-3) === 'A' ? 'B' : 'A') + sealed.slice(-2);
    const malformed = [
      '',
      '1.',
      '1.AAAA',
      '1.AAAAA',
      TEXT,
      `2${sealed.slice(1)}`,
      `x${sealed}`,
      `${sealed}!`,
    ];
    for (const text of [changed, sealed.slice(0, 20), ...malformed]) {
      expect(await boxOf().open(text, 'ann')).toBeUndefined();
    }
  });

  test('opens texts of every secret that it has, and seals with the first', async () => {
    const [oldSecret, newSecret] = [8, 9].map((fill) => Buffer.alloc(32, fill).toString('base64url'));
    const secrets = [newSecret ?? '', SECRET, oldSecret ?? ''];
    const rotated = createSecretBox(secrets, 'test', boxOf === box ? undefined : nativeCipher);
    for (const secret of secrets) {
      expect(await rotated.open(await boxOf('test', secret).seal(TEXT, 'ann'), 'ann')).toBe(TEXT);
    }
    expect(await boxOf('test', newSecret).open(await rotated.seal(TEXT, 'ann'), 'ann')).toBe(TEXT);
    const other = await boxOf('else').seal(TEXT, 'ann');
    expect(await rotated.open(other, 'ann')).toBeUndefined();
  });

  test.each(['', 'no base64url!'])('refuses the secret %j', (secret) => {
    expect(() => boxOf('test', secret)).toThrow('base64url');
  });
});

test('needs a secret', () => {
  expect(() => createSecretBox([], 'test')).toThrow('a box needs a secret');
});
