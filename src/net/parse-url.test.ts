import { expect, test } from 'vitest';
import { parseUrl } from './parse-url.js';

const refusalOf = (text: string, base?: URL) => {
  const parsed = parseUrl(text, base);
  if (parsed.ok) throw new Error(`${text} was parsed as ${parsed.url.href}`);
  return parsed.refusal;
};
const HOST = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.example.com`;

test.each([
  ['example.com', 'https://example.com'],
  ['example.com:8443/a/b.html', 'https://example.com:8443/a/b.html'],
  ['Example.COM/~a', 'https://Example.COM/~a'],
  ['localhost', 'http://localhost'],
  ['LOCALHOST:3000', 'http://LOCALHOST:3000'],
  ['127.0.0.1:8080/a', 'http://127.0.0.1:8080/a'],
  [`${HOST}/${'x'.repeat(299 - HOST.length)}`, `https://${HOST}/${'x'.repeat(299 - HOST.length)}`],
])('suggests a scheme for %s', (text, suggest) => {
  expect(refusalOf(text).suggest).toBe(suggest);
});

test.each([
  'example',
  'example.com?token=x',
  'example.com:123456',
  'my shop.example.com',
  'user@example.com',
  'ftp://example.com',
  'mailto:a@example.com',
  `${'a'.repeat(64)}.com`,
  `${HOST}/${'x'.repeat(300 - HOST.length)}`,
])('suggests nothing for %s', (text) => {
  expect(refusalOf(text)).not.toHaveProperty('suggest');
});

test('suggests nothing for a redirect', () => {
  expect(refusalOf('localhost:3000', new URL('https://example.com/'))).not.toHaveProperty('suggest');
});

test('accepts a URL of 8,192 characters, and none that is longer', () => {
  const url = `https://example.com/${'a'.repeat(8192 - 20)}`;
  expect(parseUrl(url).ok).toBe(true);
  expect(refusalOf(`${url}a`).rule).toBe('too_long');
});

test.each([
  ['http://exa\tmple.com', 'blank_or_control'],
  ['http://example.com\u0000', 'blank_or_control'],
  ['http://example.com ', 'blank_or_control'],
  ['\u001fhttp://example.com', 'blank_or_control'],
  ['HTTP:?x', 'no_hostname'],
  ['see/https://?x', 'unparsable'],
  ['http://a:b@example.com', 'userinfo'],
  ['http://:b@example.com', 'userinfo'],
  ['http:@example.com', 'userinfo'],
  ['HTTPS:\\/@example.com', 'userinfo'],
  ['http:/u@example.com', 'userinfo'],
  ['http:/:b@example.com', 'userinfo'],
])('refuses %j as %s', (text, rule) => {
  expect(refusalOf(text).rule).toBe(rule);
});

test('an @ after the authority is no userinfo', () => {
  for (const text of ['http://example.com/@a', 'http://example.com/?a=@b', 'http://example.com/#@'])
    expect(parseUrl(text).ok).toBe(true);
  expect(parseUrl('/@a', new URL('https://example.com/')).ok).toBe(true);
  expect(refusalOf('//@b.com/', new URL('https://example.com/')).rule).toBe('userinfo');
});
