import { expect, test } from 'vitest';
import { tryUrl } from './try-url.js';

test('gives the same result however often it is called', () => {
  const pieces = ['a', 'é', '?', 'ü', 'example', '/'];
  for (let round = 0; round < 50_000; round++) {
    const text = `http://x${pieces[round % 6]}${pieces[(round >> 2) % 6]}${pieces[(round >> 4) % 6]}`;
    expect(tryUrl(text)?.protocol).toBe('http:');
  }
  expect(tryUrl('/path')).toBeUndefined();
  expect(tryUrl('/path', 'https://a.example')?.href).toBe('https://a.example/path');
  expect(tryUrl('http://[')).toBeUndefined();
});
