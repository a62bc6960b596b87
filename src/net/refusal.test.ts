import { expect, test } from 'vitest';
import { createPolicy } from './policy.js';
import { refusalError } from './refusal.js';

const errorFor = (url: string) => {
  const verdict = createPolicy().judgeUrl(url);
  if (verdict.ok) throw new Error('allowed');
  return refusalError(verdict.refusal);
};

test.each([
  ['http://127.0.0.1:8080/a', { step: 'address', rule: 'loopback', allow: 'http://127.0.0.1:8080' }],
  ['localhost:3000/a', { step: 'url', rule: 'invalid_scheme', suggest: 'http://localhost:3000/a' }],
  ['http://169.254.169.254/', { step: 'address', rule: 'link_local' }],
  ['http://metadata.google.internal/', { step: 'host', rule: 'metadata_name' }],
  ['http://nas.lan/', { step: 'host', rule: 'private_name', allow: 'http://nas.lan' }],
])('the error for %s has the details %j', (url, details) => {
  expect(errorFor(url).details).toStrictEqual(details);
});
