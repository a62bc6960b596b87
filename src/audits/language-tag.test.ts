import { expect, it } from 'vitest';
import { isHreflang, isLanguageTag } from './language-tag.js';

it('recognizes well-formed language tags', () => {
  for (const tag of [
    'en',
    'de-CH',
    'zh-Hant-TW',
    'sl-rozaj',
    'de-1996',
    'es-419',
    'en-x-secret',
    'x-private',
    'i-klingon',
    'DE',
  ]) {
    expect(isLanguageTag(tag), tag).toBe(true);
  }
  for (const tag of ['', 'e', 'english-', 'en_US', 'de-', '-de', 'en--US', 'en-USA1-x', '12', 'en us']) {
    expect(isLanguageTag(tag), tag).toBe(false);
  }
});

it('recognizes valid hreflang values', () => {
  for (const tag of ['en', 'en-GB', 'zh-Hans', 'zh-Hant-HK', 'es-419', 'x-default', 'X-Default'])
    expect(isHreflang(tag), tag).toBe(true);
  for (const tag of ['en-UK', 'de_DE', 'english', 'eu-EU', '', 'en-GB-oed'])
    expect(isHreflang(tag), tag).toBe(false);
});
