import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gunzip, isGzip } from './gunzip.js';

const TEXT = 'a sitemap '.repeat(1_000);
const packed = new Uint8Array(gzipSync(TEXT));

test('recognizes gzip by its first two bytes', () => {
  expect(isGzip(packed)).toBe(true);
  expect(isGzip(Uint8Array.of(0x1f))).toBe(false);
  expect(isGzip(Uint8Array.of(0x1f, 0x8c))).toBe(false);
  expect(isGzip(Uint8Array.of(0x1e, 0x8b))).toBe(false);
  expect(isGzip(new Uint8Array())).toBe(false);
});

test('unpacks up to a limit', async () => {
  const whole = await gunzip(packed, TEXT.length);
  expect([new TextDecoder().decode(whole?.bytes), whole?.cut]).toEqual([TEXT, false]);
  const cut = await gunzip(packed, 100);
  expect([new TextDecoder().decode(cut?.bytes), cut?.cut]).toEqual([TEXT.slice(0, 100), true]);
});

test('returns null for bytes that are not valid gzip, or end early', async () => {
  expect(await gunzip(new TextEncoder().encode('<urlset>'), 100)).toBeNull();
  expect(await gunzip(packed.slice(0, -10), TEXT.length)).toBeNull();
});
