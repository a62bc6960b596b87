import { expect, test } from 'vitest';
import { LiveSecrets } from './live-secrets.js';
import { Mask } from './mask.js';

function hidden(secret: string, text: string): string {
  const secrets = new LiveSecrets();
  secrets.protect(secret);
  const mask = new Mask(text);
  secrets.mask(text, mask);
  return mask.apply();
}

test.each([
  ["a!b'c(d)e*f", 'x=a%21b%27c%28d%29e%2af;'],
  ["a!b'c(d)e*f", 'x=a%21b%27c%28d%29e%2Af;'],
  ['p@ss wörd', 'x=p%40ss%20w%C3%B6rd;'],
  ['p@ss wörd', 'x=p%40ss%20w%c3%b6rd;'],
  ['p@ss word', 'x=p%40ss+word;'],
  ['p@ss word', 'x=p%2540ss%2520word;'],
  ['a"b\\c/d', 'x=a\\"b\\\\c\\/d;'],
  ["a<b>&c'd", 'x=a&lt;b&gt;&amp;c&#39;d;'],
  ['secret', 'x=736563726574;'],
  ['sécret', 'x=73C3A963726574;'],
])('hides the secret %j in %s', (secret, text) => {
  expect(hidden(secret, text)).toBe('x=[REDACTED];');
});
