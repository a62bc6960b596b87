import { expect, test } from 'vitest';
import { parseUrl } from './parse-url.js';

test('a text is a URL or none, however often it is asked', () => {
  const pieces = ['a', 'é', '?', 'ü', 'example', '/'];
  for (let round = 0; round < 50_000; round++) {
    const text = `http://x${pieces[round % 6]}${pieces[(round >> 2) % 6]}${pieces[(round >> 4) % 6]}`;
    expect(parseUrl(text)?.protocol).toBe('http:');
  }
  expect(parseUrl('/path')).toBeUndefined();
  expect(parseUrl('/path', 'https://a.example')?.href).toBe('https://a.example/path');
  expect(parseUrl('http://[')).toBeUndefined();
});
