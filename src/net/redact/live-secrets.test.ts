/** A protected secret is hidden in every encoded form until it is released; the number of secrets is bounded. */
import { expect, test } from 'vitest';
import { encodedForms } from './encoded-forms.js';
import { LIVE_SECRETS_MAX } from './live-secrets.js';
import { createRedactor } from './redactor.js';

const secret = 'pä ss/w+rd"&<1>';
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

test.each([
  ['plain', secret],
  ['JSON', JSON.stringify(secret)],
  ['JSON in JSON', JSON.stringify(JSON.stringify(secret))],
  ['base64', base64(secret)],
  ['base64url', Buffer.from(secret, 'utf8').toString('base64url')],
  ['base64 after one byte', base64(`a${secret}b`)],
  ['base64 after two bytes', base64(`ab${secret}cde`)],
  ['base64 of Basic', base64(`user:${secret}`)],
  ['percent', encodeURIComponent(secret)],
  ['percent, lower case', encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase())],
  ['percent twice', encodeURIComponent(encodeURIComponent(secret))],
  ['form', new URLSearchParams({ a: secret }).toString().slice(2)],
  ['hex', Buffer.from(secret, 'utf8').toString('hex')],
  ['hex, upper case', Buffer.from(secret, 'utf8').toString('hex').toUpperCase()],
  ['HTML', 'pä ss/w+rd&quot;&amp;&lt;1&gt;'],
])('hides a protected secret as %s', (_form, written) => {
  const { text } = createRedactor({ secrets: [secret] });
  const redacted = text(`seen ${written} here`);
  expect(redacted).toContain('seen ');
  expect(redacted).toContain(' here');
  const inner = written.replaceAll('"', '');
  for (let at = 2; at + 8 < inner.length; at += 1) expect(redacted).not.toContain(inner.slice(at, at + 6));
});

test('hides a secret only from protect until its last release', () => {
  const redactor = createRedactor();
  expect(redactor.text('my opensesame')).toBe('my opensesame');
  const forget = redactor.protect('opensesame');
  const forgetTwin = redactor.protect('opensesame');
  expect(redactor.text('my opensesame')).toBe('my [REDACTED]');
  forget();
  forget();
  expect(redactor.text('my opensesame')).toBe('my [REDACTED]');
  forgetTwin();
  expect(redactor.text('my opensesame')).toBe('my opensesame');
});

test('hides overlapping secrets as one', () => {
  const { text } = createRedactor({ secrets: ['abcdefghij', 'defghijklmnop'] });
  expect(text('x abcdefghijklmnop y')).toBe('x [REDACTED] y');
});

test('ignores short secrets and parts of the mask', () => {
  const { text } = createRedactor({ secrets: ['', 'abcde', 'REDACTED', '[REDACTED]'] });
  expect(text('abcde [REDACTED] token=x1')).toBe('abcde [REDACTED] token=[REDACTED]');
  // In hex, it is long enough.
  expect(text('abcde is 6162636465')).toBe('abcde is 6162636465');
});

test('drops the oldest secret at the limit', () => {
  const name = (at: number): string => `live-secret-${String(at).padStart(5, '0')}`;
  const redactor = createRedactor({
    secrets: Array.from({ length: LIVE_SECRETS_MAX + 1 }, (_, at) => name(at)),
  });
  expect(redactor.text(name(0))).toBe(name(0));
  expect(redactor.text(name(1))).toBe('[REDACTED]');
  expect(redactor.text(name(LIVE_SECRETS_MAX))).toBe('[REDACTED]');
  expect(LIVE_SECRETS_MAX).toBe(1_000);
});

test('hides a secret with a lone surrogate and a numeric secret', () => {
  expect(encodedForms('abc\ud800def').length).toBeGreaterThan(3);
  const redactor = createRedactor({ secrets: ['abc\ud800def', '123456789'] });
  expect(redactor.text('x abc\ud800def')).toBe('x [REDACTED]');
  expect(redactor.value({ n: 123456789, m: 12 })).toEqual({ n: '[REDACTED]', m: 12 });
});
