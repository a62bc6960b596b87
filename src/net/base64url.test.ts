import { expect, test } from 'vitest';
import { fromBase64Url, toBase64, toBase64Url } from './base64url.js';

test.each([
  [[], '', ''],
  [[0xfb], '+w==', '-w'],
  [[0xff, 0xfe], '//4=', '__4'],
  [[0xfb, 0xef, 0xff], '++//', '--__'],
])('the bytes %j are %j in base64 and %j in base64url', (bytes, base64, base64Url) => {
  expect(toBase64(Uint8Array.from(bytes))).toBe(base64);
  expect(toBase64Url(Uint8Array.from(bytes))).toBe(base64Url);
  expect(fromBase64Url(base64Url)).toEqual(Uint8Array.from(bytes));
});

test.each(['A', 'AAAAA', '-w==', '+w', '//4', ' -w', '-w ', '-w\n'])('%j is not base64url', (text) => {
  expect(fromBase64Url(text)).toBeUndefined();
});
