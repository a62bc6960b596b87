import { expect, test } from 'vitest';
import { compileAllowlist } from './allowlist.js';

test('a port is one from 1 to 65535, and which of them is never called is named', () => {
  expect(compileAllowlist(['http://a.example:65535']).match('http://a.example:65535/')).toBeDefined();
  for (const port of ['0', '65536', '99999'])
    expect(() => compileAllowlist([`http://a.example:${port}`])).toThrow('the port must be from 1 to 65535');
  expect(() => compileAllowlist(['http://a.example:25'])).toThrow('port 25 is never called');
});

test.each(['*.example.com', '10.0.0.1:*', 'localhost.example.com:*', 'xlocalhost:*'])(
  'private:%s is refused with what a private pattern must have',
  (pattern) => {
    expect(() => compileAllowlist([`private:${pattern}`])).toThrow('must have one host and port');
  },
);

test('the names of loopback may be in any case', () => {
  expect(compileAllowlist(['private:http://LOCALHOST:*']).match('http://localhost:3000/')).toMatchObject({
    lifted: true,
  });
});
