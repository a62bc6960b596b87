import { expect, test } from 'vitest';
import { createSecretBox } from './secret-box.js';

const SECRET = Buffer.alloc(32, 7).toString('base64url');
const TEXT = 'https://example.com/hook?token=abcdef';
const box = createSecretBox(SECRET, 'test');

test('opens what it sealed, for its owner alone, and never seals twice alike', async () => {
  const [one, two] = [await box.seal(TEXT, 'ann'), await box.seal(TEXT, 'ann')];
  expect(one).not.toBe(two);
  expect(`${one}${two}`).not.toMatch(/example|abcdef/);
  expect(await box.open(one, 'ann')).toBe(TEXT);
  expect(await createSecretBox(SECRET, 'test').open(two, 'ann')).toBe(TEXT);
  expect(await box.open(one, 'bob')).toBeUndefined();
});

test('opens nothing of another key or purpose, nothing changed, and nothing that is none', async () => {
  const sealed = await box.seal(TEXT, 'ann');
  const other = createSecretBox(Buffer.alloc(32, 8).toString('base64url'), 'test');
  expect(await other.open(sealed, 'ann')).toBeUndefined();
  expect(await createSecretBox(SECRET, 'else').open(sealed, 'ann')).toBeUndefined();
  const changed = sealed.slice(0, -3) + (sealed.at(-3) === 'A' ? 'B' : 'A') + sealed.slice(-2);
  for (const text of [changed, sealed.slice(0, 20), '', '1.', TEXT, `2${sealed.slice(1)}`]) {
    expect(await box.open(text, 'ann')).toBeUndefined();
  }
});
