import { expect, test } from 'vitest';
import { compileAllowlist } from './allowlist.js';

test('accepts ports from 1 to 65535 and rejects a blocked port by number', () => {
  expect(compileAllowlist(['http://a.example:65535']).match('http://a.example:65535/')).toBeDefined();
  for (const port of ['0', '65536', '99999'])
    expect(() => compileAllowlist([`http://a.example:${port}`])).toThrow('the port must be from 1 to 65535');
  for (const port of ['1', '25'])
    expect(() => compileAllowlist([`http://a.example:${port}`])).toThrow(`port ${port} is never called`);
});

test.each(['*.example.com', '10.0.0.1:*', 'localhost.example.com:*', 'xlocalhost:*'])(
  'rejects private:%s and states the requirements of a private pattern',
  (pattern) => {
    expect(() => compileAllowlist([`private:${pattern}`])).toThrow('must have one host and port');
  },
);

test('a pattern for a whole host allows paths that might mean another one', () => {
  const url = 'http://a.example/a/%2e%2e%2fb';
  for (const path of ['', '/*'])
    expect(compileAllowlist([`http://a.example${path}`]).match(url)).toBeDefined();
  expect(compileAllowlist(['http://a.example/a/*']).match(url)).toBeUndefined();
});

test('what one literal of a path has matched does not count for the next', () => {
  const { match } = compileAllowlist(['http://a.example/x*ab*ab']);
  expect(match('http://a.example/xab')).toBeUndefined();
  expect(match('http://a.example/xabab')).toBeDefined();
});

test('loopback names are case-insensitive', () => {
  expect(compileAllowlist(['private:http://LOCALHOST:*']).match('http://localhost:3000/')).toMatchObject({
    lifted: true,
  });
});

test('a path that begins with two slashes is a path, not a host', () => {
  const { match } = compileAllowlist(['http://a.example//v1/*']);
  expect(match('http://a.example//v1/x')).toBeDefined();
  for (const path of ['/', '/admin', '/v1/x']) expect(match(`http://a.example${path}`)).toBeUndefined();
});

test.each([
  ['*.example.com', 'http://.example.com/', false],
  ['a.example/*/chat', 'http://a.example/v1/chats', false],
  ['a.example/x*ab*c', 'http://a.example/xzzc', false],
  ['a.example/x*ab*c', 'http://a.example/xzabzc', true],
  // A star may stand for the rest of an escape.
  ['a.example/v1/%*', 'http://a.example/v1/%41', true],
  ['a.example/v1/*', 'http://a.example/v1/..%25u002fadmin', false],
  ['a.example/v1/*', 'http://a.example/v1/..%25U002fadmin', false],
  ['a.example/v1/*', 'http://a.example/v1/x%EF%BC%8Fy', false],
  ['a.example:80', 'http://a.example/', true],
  ['http://a.example', 'http://u@a.example/', false],
  ['http://a.example', 'http://:p@a.example/', false],
])('the pattern %s matches %s: %s', (pattern, url, expected) => {
  expect(compileAllowlist([pattern]).match(url) !== undefined).toBe(expected);
});

test('only private patterns open origins', () => {
  const { privateOrigins } = compileAllowlist(['http://a.example', 'private:b.example', 'c.example:8080']);
  expect(privateOrigins).toEqual(['http://b.example', 'https://b.example']);
});
